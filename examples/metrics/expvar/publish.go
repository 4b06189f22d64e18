package main

import (
	"expvar"
	"fmt"
	"sync"

	"github.com/rouse-go/rouse/pool"
)

var (
	variable   = "rouse_pools" // the map of all pools
	publishing sync.Mutex
)

// publish adds the numbers of p to the map rouse_pools, under the given name. It returns an error
// if another pool has that name, or if rouse_pools is something else.
//
// A request costs one call of [pool.Pool.Stats]. A closed pool keeps its last numbers. unpublish
// removes them and releases the pool.
func publish(name string, p *pool.Pool) (unpublish func(), err error) {
	if name == "" || p == nil {
		return nil, fmt.Errorf("metrics: pool %q: want a name, and a pool that is not nil", name)
	}
	// expvar.Publish ends the program if the name is taken, and Map.Set overwrites.
	publishing.Lock()
	defer publishing.Unlock()
	pools, ok := expvar.Get(variable).(*expvar.Map)
	switch {
	case !ok && expvar.Get(variable) != nil:
		return nil, fmt.Errorf("metrics: pool %q: the variable %s is not a map of pools", name, variable)
	case !ok:
		pools = expvar.NewMap(variable)
	case pools.Get(name) != nil:
		return nil, fmt.Errorf("metrics: there is another pool %q in %s", name, variable)
	}
	pools.Set(name, expvar.Func(func() any { return p.Stats() }))
	return sync.OnceFunc(func() { pools.Delete(name) }), nil
}
