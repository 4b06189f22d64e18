package cluster

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A site is where the NATS server is, and what it wants to see. Workers are told by their input, for a
// URL that was read from a file may have a password in it.
type site struct {
	URL, Creds, CA, Cert, Key string
}

func (s *site) flags(flags *flag.FlagSet) {
	flags.StringVar(&s.URL, "nats", "", "use the NATS server at `URL`, or at the one that a file has: @FILE; by default one runs in this process")
	flags.StringVar(&s.Creds, "creds", "", "show the server the credentials in `FILE`, as nsc writes them")
	flags.StringVar(&s.CA, "ca", "", "use TLS, and trust the certificates in `FILE` (PEM)")
	flags.StringVar(&s.Cert, "cert", "", "show the server the certificate in `FILE` (PEM)")
	flags.StringVar(&s.Key, "key", "", "the private key of --cert is in `FILE` (PEM)")
}

// check reads the URL from its file, and refuses what cannot be meant. No error has any of it, for it may
// have a password.
func (s *site) check() error {
	file, isFile := strings.CutPrefix(s.URL, "@")
	if isFile {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		s.URL = strings.TrimSpace(string(data))
	}
	if s.URL == "" && !isFile {
		return nil
	}
	for one := range strings.SplitSeq(s.URL, ",") {
		if !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(strings.TrimSpace(one))
		switch {
		case err != nil || u.Host == "":
			return errors.New("--nats has no URL: in a password, write %XX for all but letters and digits")
		case u.User != nil && !isFile:
			return errors.New("--nats has a password or a user, which all users of this machine can read: write the URL into a file, and give @FILE, or use --creds")
		}
	}
	return nil
}

// String is the URL without passwords.
func (s *site) String() string {
	servers := strings.Split(s.URL, ",")
	for i, one := range servers {
		servers[i] = one[strings.LastIndex(one, "@")+1:]
	}
	return strings.Join(servers, ",")
}

// connectWait is how long a server and a client may take to know each other: two seconds, as is
// usual, are short where processes start side by side on a busy machine.
const connectWait = 10 * time.Second

// answerWait is how long the server may take for an answer. Tests have less patience.
var answerWait = 5 * time.Second

// connect connects to a NATS server that has JetStream. A connection that is lost later is made
// again by the library, however long that takes; tell hears of it, and of its return.
func (s *site) connect(ctx context.Context, name string, tell func(lost error)) (jetstream.JetStream, error) {
	opts := []nats.Option{
		nats.Name(name), nats.Timeout(connectWait), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // Each caller has its error.
		nats.DisconnectErrHandler(func(nc *nats.Conn, err error) {
			if !nc.IsClosed() {
				tell(fmt.Errorf("the connection is lost, %w", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { tell(nil) }),
	}
	if s.Creds != "" {
		opts = append(opts, nats.UserCredentials(s.Creds))
	}
	if s.CA != "" {
		opts = append(opts, nats.RootCAs(s.CA))
	}
	if s.Cert != "" || s.Key != "" {
		opts = append(opts, nats.ClientCert(s.Cert, s.Key))
	}
	nc, err := nats.Connect(s.URL, opts...)
	if err != nil {
		return nil, fmt.Errorf("no NATS server at %s: %w", s, err)
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(answerWait))
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	switch {
	case err == nil:
		return js, nil
	case notEnabled(err):
		err = errors.New("it has none: start it with --jetstream")
	}
	nc.Close()
	return nil, fmt.Errorf("asking the NATS server at %s for JetStream: %w", s, err)
}

// notEnabled reports whether a server is there, and answers without JetStream.
func notEnabled(err error) bool {
	return errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) ||
		errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount)
}

// noRoom reports whether a message was refused because the store, or what an account may have of it,
// is full. The codes are those of the server, which has no names for them in its client.
func noRoom(err error) bool {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return false
	}
	switch api.ErrorCode {
	case 10002, 10023, 10028, 10047: // resources of the account, of the server, its memory, its store
		return true
	case 10077: // the message could not be stored
		return strings.Contains(api.Description, "no space left") || strings.Contains(api.Description, "maximum bytes exceeded")
	}
	return false
}
