package poolhttp_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/pool/poolhttp"
)

// The handler has a mux of its own, which a program serves on an address that only its owner
// reaches: http.ListenAndServe("localhost:6060", admin).
func Example() {
	var pools poolhttp.Handler
	if err := pools.Add("default", pool.Default); err != nil {
		log.Fatal(err)
	}
	admin := http.NewServeMux()
	admin.Handle("/debug/pools", &pools)

	server := httptest.NewServer(admin)
	defer server.Close()
	answer, err := http.Get(server.URL + "/debug/pools?show=dump&pool=default")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	dump, err := io.ReadAll(answer.Body)
	said, _, _ := strings.Cut(string(dump), ";")
	fmt.Println(said, err)
	// Output: pool: jobs begun: 0 <nil>
}
