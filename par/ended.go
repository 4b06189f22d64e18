package par

import "context"

// An ended is the error of a call whose context has ended: both the context's error and
// its cause.
type ended struct{ err, cause error }

func endOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || cause == err {
		return err
	}
	return &ended{err, cause}
}

func (e *ended) Error() string   { return e.err.Error() + ": " + e.cause.Error() }
func (e *ended) Unwrap() []error { return []error{e.err, e.cause} }
