package census

import (
	"context"
	"io/fs"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/tools/backends"
)

// A Variant is one way to do the job.
type Variant struct {
	Way   string `json:"way"`             // sequential, goroutines or pool
	Deque string `json:"deque,omitempty"` // of a pool
	Sleep string `json:"sleep,omitempty"` // of a pool

	take func(context.Context, fs.FS, ...Option) (*Census, error)
	pool []pool.Option // of a pool
}

// String returns the variant's name, such as pool/deque=chaselev/sleep=jec.
func (v Variant) String() string {
	if v.Way != "pool" {
		return v.Way
	}
	return "pool/deque=" + v.Deque + "/sleep=" + v.Sleep
}

// Variants returns the sequential way, the one with goroutines, and pools of
// every combination of the given backends, made with opts besides.
func Variants(deques []backends.Deque, sleeps []backends.Sleep, opts ...pool.Option) []Variant {
	all := []Variant{
		{Way: "sequential", take: Sequential},
		{Way: "goroutines", take: Goroutines},
	}
	for _, d := range deques {
		for _, s := range sleeps {
			made := []pool.Option{
				pool.WithDeque(d.New),
				pool.WithSleep(s.New),
				pool.WithEagerPublish(), // See Pool.
			}
			all = append(all, Variant{Way: "pool", Deque: d.Name, Sleep: s.Name, pool: append(made, opts...)})
		}
	}
	return all
}

// Check returns the error that a run would end with because its pool cannot
// be made.
func (v Variant) Check() error {
	if v.Way != "pool" {
		return nil
	}
	p, err := pool.New(v.pool...)
	if err != nil {
		return err
	}
	return p.Close()
}

// run does the job once. It makes the pool anew, since making and closing it
// is part of what a user pays.
func (v Variant) run(ctx context.Context, fsys fs.FS, opt Option) (*Census, *pool.Stats, error) {
	if v.Way != "pool" {
		c, err := v.take(ctx, fsys, opt)
		return c, nil, err
	}
	p, err := pool.New(v.pool...)
	if err != nil {
		return nil, nil, err
	}
	c, err := Pool(ctx, p, fsys, opt)
	if cerr := p.Close(); err == nil {
		err = cerr
	}
	stats := p.Stats() // Only now have all workers handed theirs over.
	return c, &stats, err
}
