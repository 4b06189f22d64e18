package explore

// A module that vendors its dependencies has the twins, too.
import (
	_ "github.com/rouse-go/rouse/explore/twin/atomic"
	_ "github.com/rouse-go/rouse/explore/twin/context"
	_ "github.com/rouse-go/rouse/explore/twin/lang"
	_ "github.com/rouse-go/rouse/explore/twin/maphash"
	_ "github.com/rouse-go/rouse/explore/twin/rand"
	_ "github.com/rouse-go/rouse/explore/twin/rand/v2"
	_ "github.com/rouse-go/rouse/explore/twin/sync"
	_ "github.com/rouse-go/rouse/explore/twin/time"
)
