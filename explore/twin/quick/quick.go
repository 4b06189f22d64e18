// Package quick is a twin of package testing/quick, for rewritten code: in an execution its values come
// from the same seed, and the explorer is told that others were not tried.
package quick

import (
	"math/rand"
	"reflect"
	rt "testing/quick"

	"github.com/rouse-go/rouse/explore/drive"
)

type (
	CheckEqualError = rt.CheckEqualError
	CheckError      = rt.CheckError
	Config          = rt.Config
	Generator       = rt.Generator
	SetupError      = rt.SetupError
)

func seeded(config *Config) *Config {
	if !drive.Driven() || config != nil && config.Rand != nil {
		return config
	}
	c := Config{}
	if config != nil {
		c = *config
	}
	drive.Chance(0)
	c.Rand = rand.New(rand.NewSource(1))
	return &c
}

func Check(f any, config *Config) error { return rt.Check(f, seeded(config)) }

func CheckEqual(f, g any, config *Config) error { return rt.CheckEqual(f, g, seeded(config)) }

func Value(t reflect.Type, rand *rand.Rand) (value reflect.Value, ok bool) { return rt.Value(t, rand) }
