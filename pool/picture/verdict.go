package picture

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/rouse-go/rouse/pool/record"
)

// Why a program is not faster: what is lost of the time that workers have is summed up by cause, and the
// largest causes are told.
//
// A job that runs need not compute: it may sleep, or wait for a lock, a disk or a processor. Nobody says so of a
// job, so the sums are of all jobs, and what the process used meanwhile is held beside them. What else the
// program does counts in favour of its jobs. So a cause that is told is there, and one may be missed.

// A cause is why workers got less done than they could.
type cause struct {
	lost time.Duration // of the time of all workers, one added to the other
	text string
	// elsewhere says that the program cannot mend it: so it comes last.
	elsewhere bool
}

const (
	// little is the part of the time that is worth no word.
	little = 0.1
	// short is how long a job takes that costs more than it brings: waking a worker takes longer.
	short = 10 * time.Microsecond
	// shortJobs is how many there must be of these.
	shortJobs = 100
)

// forked is what a job that runs alone has forked meanwhile.
type forked uint8

const (
	forkedUnknown forked = iota // it has not ended
	forkedNothing
	forkedUnseen // and no other worker could see it
)

// forkedIn returns what the job had forked between its last event before a time and the first one after it.
//
// A fork that is made while a worker is idle is visible at once, and so are others with the next join. So a
// job that forks and is alone all the same has forked before, and no fork or join came since.
func (w *work) forkedIn(from, to time.Duration) forked {
	if w == nil {
		return forkedUnknown
	}
	i, _ := slices.BinarySearchFunc(w.marks, to, func(m mark, to time.Duration) int { return cmp.Compare(m.at, to) })
	if i == 0 || i == len(w.marks) {
		return forkedUnknown
	}
	last := i - 1
	for last > 0 && w.marks[last].at > from {
		last--
	}
	made := w.marks[i].forks - w.marks[last].forks
	if made == 0 || made == 1 && w.marks[i].visible == 1 { // that came when it was over
		return forkedNothing
	}
	return forkedUnseen
}

// useful is how many workers can compute at a time.
func useful(r *record.Recording) int {
	if r.Processors > 0 {
		return min(r.Workers, r.Processors)
	}
	return r.Workers
}

// tellApart says of each time in which only one job ran what that had forked.
func (t *timeline) tellApart() {
	for i := range t.alone {
		a := &t.alone[i]
		why := reason{running: 1, fn: a.fn, forked: t.work[a.job].forkedIn(a.from, a.to)}
		t.idle[why] += time.Duration(a.idle) * (a.to - a.from)
		t.lost[why] += time.Duration(a.lost) * (a.to - a.from)
	}
}

// tail returns from when on only one job ran, none of Run or a loop in one, until the last one ended, and how much
// time of the others that took. What lasts for a fiftieth of all does not count.
func (t *timeline) tail() (last alone, lost time.Duration) {
	until, brief := t.lastRan, t.lastRan/50
	for i := len(t.alone) - 1; i >= 0 && t.alone[i].to >= until-brief; {
		group, groupLost, longest := t.alone[i], time.Duration(0), time.Duration(0)
		for ; i >= 0 && t.alone[i].job == group.job && t.alone[i].to >= group.from-brief; i-- {
			a := t.alone[i]
			group.from = a.from
			if a.to-a.from > longest {
				longest, group.fn = a.to-a.from, a.fn
			}
			group.inLoop = group.inLoop || a.inLoop
			groupLost += time.Duration(a.lost) * (a.to - a.from)
		}
		w := t.work[group.job]
		switch {
		case group.to-group.from <= brief:
			continue // such as the end of a job that waited for the last one
		case w == nil || w.kind == record.JobOfRun && !group.inLoop:
			return alone{}, 0
		}
		return group, groupLost
	}
	return alone{}, 0
}

// causes returns why the workers got less done than they could, the largest first, and how much time they had.
func (t *timeline) causes(r *record.Recording) (all []cause, of time.Duration) {
	of = t.lastRan
	if t.lastRan > t.gapTo {
		of -= t.gapTo - t.gapFrom
	}
	of *= time.Duration(useful(r))
	if of <= 0 {
		return nil, 0
	}
	all = append(t.idleCauses(r, of), t.busyCauses(r)...)
	all = slices.DeleteFunc(all, func(c cause) bool { return float64(c.lost) < little*float64(of) || c.lost <= 0 })
	slices.SortStableFunc(all, func(a, b cause) int {
		if a.elsewhere != b.elsewhere {
			return map[bool]int{true: 1, false: -1}[a.elsewhere]
		}
		return cmp.Compare(b.lost, a.lost)
	})
	return all, of
}

// idleCauses are why workers had no work.
func (t *timeline) idleCauses(r *record.Recording, of time.Duration) (all []cause) {
	var none, unseen, waited time.Duration
	var most, mostUnseen reason
	for why, d := range t.lost {
		switch {
		case why.waiting:
			waited += d
		case why.forked == forkedUnseen:
			unseen += d
			if d > t.lost[mostUnseen] || mostUnseen.running == 0 {
				mostUnseen = why
			}
		case why.running > 0: // what comes when no job is left is nobody's loss
			none += d
			if why.running == 1 && (d > t.lost[most] || most.running == 0) {
				most = why
			}
		}
	}
	gaps := max(0, t.lost[reason{}]-time.Duration(useful(r))*(t.end-t.lastRan))
	none += gaps
	if n, median := t.shortJobs(); n > 0 {
		lost := none + unseen + waited + min(t.ran, time.Duration(n)*short)
		return append(all, cause{lost: lost, text: fmt.Sprintf("The jobs are too short: half of %s took at most %s, and it takes longer to hand a job to another worker. Give each job more to do.",
			count(n, "job"), round(max(median, 1)))})
	}
	last, tail := t.tail()
	if float64(tail) >= little*float64(of) {
		none, unseen = none-tail, min(unseen, none+unseen-tail)
		advice := "Split it"
		if t.work[last.job].marks[0].at > t.lastRan/10 {
			advice = "Start it earlier, or split it"
		}
		all = append(all, cause{lost: tail, text: fmt.Sprintf("One long job at the end: for the last %s of %s only one job ran, of %s. %s.",
			round(t.lastRan-last.from), round(t.lastRan), t.whereIs(last.fn), advice)})
	}
	if unseen > 0 {
		all = append(all, cause{lost: unseen, text: fmt.Sprintf("There was work that nobody saw: %s had forked, and then neither forked nor joined for a long time, so that idle workers could not see what it had. Fork last what takes long, or call loops.Publish before it.",
			t.whereIs(mostUnseen.fn))})
	}
	text := fmt.Sprintf("There was too little work: on average %.1f jobs ran, and there were %s.", float64(t.ran)*float64(useful(r))/float64(of), count(r.Workers, "worker"))
	switch {
	case most.running == 1 && t.lost[most] >= none/2:
		text += fmt.Sprintf(" Most of the time that workers had nothing to do, only one job ran, of %s", t.whereIs(most.fn))
		if most.forked == forkedNothing {
			text += ", which forked nothing then"
		}
		text += "."
	case gaps >= none/2:
		text += " Most of the time that workers had nothing to do, there was no job in the pool."
	}
	return append(all, cause{lost: none, text: text},
		cause{lost: waited, text: "All jobs waited for each other, or were in Block: nothing was left to do meanwhile."})
}

// busyCauses are why jobs that ran did not get on.
func (t *timeline) busyCauses(r *record.Recording) (all []cause) {
	u := r.Usage
	if u.CPU == 0 {
		return nil // the platform does not say
	}
	// A moment with more jobs than processors costs time only if the processors are used then, or
	// goroutines wait for them.
	over := t.over
	if used := float64(u.CPU) / float64(max(1, time.Duration(r.Processors)*t.full)); used < 1 {
		over = max(min(over, u.Ready), time.Duration(used*float64(over)))
	}
	lacking := max(0, t.ran-u.CPU)
	part := func(d time.Duration) string { return percent(min(d, t.ran), t.ran) }
	what := "There were more workers than processors"
	if r.Workers <= r.Processors { // guests ran beside them
		what = "There were more jobs at a time than processors"
	}
	all = append(all, cause{lost: min(over, lacking), text: fmt.Sprintf("%s: %s, and %s. Jobs waited for a processor for %s of the time that they ran, and no program gets faster by that.",
		what, count(r.Workers, "worker"), count(r.Processors, "processor"), part(over))})
	lacking -= min(over, lacking)
	locks := min(u.Locks, lacking)
	if locks > lacking/4 { // look at them first: the job that holds one may sleep, while the others wait
		locks = lacking
	}
	all = append(all, cause{lost: locks, text: fmt.Sprintf("The jobs waited for locks for about %s of the time that they ran: what a lock guards, they do one after the other. Hold it for less, or split what it guards.", part(u.Locks))})
	lacking -= min(u.Locks, lacking)
	delay := max(0, u.Delay-over)
	all = append(all, cause{lost: min(delay, lacking), text: fmt.Sprintf("Other programs had the processors: threads of this one waited for a processor for %s of the time that jobs ran.", part(min(delay, lacking))), elsewhere: true})
	lacking -= min(delay, lacking)
	all = append(all, cause{lost: lacking, text: fmt.Sprintf("The jobs waited for %s of the time that they ran, and did not compute: they slept, or waited for a disk, a network, a channel or a lock. A job that waits keeps its worker: wait in Worker.Block, or take par.WithLimit.", part(lacking))})
	return append(all, cause{lost: u.Collecting, text: fmt.Sprintf("Garbage collection took %s of what the processors can do, in %s: allocate less, or raise GOGC.",
		percent(u.Collecting, time.Duration(r.Processors)*t.whole), count(u.Collections, "collection"))})
}

// shortJobs returns how many jobs have ended, and what half of them took at most, if they are too short.
func (t *timeline) shortJobs() (n int, median time.Duration) {
	var times []time.Duration
	for _, w := range t.work {
		if w.ended && w.kind != record.JobOfRun {
			times = append(times, w.took)
		}
	}
	if len(times) < shortJobs {
		return 0, 0
	}
	slices.Sort(times)
	if median = times[len(times)/2]; median >= short {
		return 0, 0
	}
	// A tree has many short jobs, and some long ones that have most of its work.
	if times[len(times)*19/20] >= 10*short {
		return 0, 0
	}
	return len(times), median
}

// whereIs returns the name of a function, and where it is.
func (t *timeline) whereIs(fn string) string {
	if at := t.where[fn]; at != "" {
		return fmt.Sprintf("%s (%s)", inShort(fn), path.Base(at))
	}
	return inShort(fn)
}

// answer says why the program is not faster: in a sentence or two, and then what else is worth a word.
func (t *timeline) answer(r *record.Recording) (first string, others []string) {
	all, of := t.causes(r)
	switch {
	case of <= 0:
		return "No job ran. A loop that tends to take less than 100 µs runs on its caller alone, and is not recorded.", nil
	case len(all) == 0 && r.Workers == 1:
		return "There is one worker, and it was at work: nothing can run beside it.", nil
	case len(all) == 0 && r.Workers < r.Processors:
		return fmt.Sprintf("Nothing held the workers up. There are more processors, %d, than workers, %d.", r.Processors, r.Workers), nil
	case len(all) == 0:
		return "Nothing held the workers up: they had work, and computed.", nil
	}
	for _, c := range all[1:] {
		others = append(others, c.text)
	}
	return all[0].text, others
}
