// Package awstest is a loopback server that answers what package awscatalog asks, in the protocols of the services: the
// EC2 Query API in XML, and the Price List Query API in JSON. Its answers are pages of two entries.
//
// Point a client at it by AWS_ENDPOINT_URL or by its configuration's BaseEndpoint. It knows the region by the signature.
package awstest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpuyard/gpuyard/catalog/answers"
)

// Server answers from a set of recorded answers.
type Server struct {
	*httptest.Server

	set answers.Set

	mu     sync.Mutex
	faults map[string][]Fault
	calls  map[string]int
}

// Fault is an error that a server answers with.
type Fault struct {
	Status int
	Code   string
}

// New starts a server. Close it.
func New(set answers.Set) *Server {
	s := &Server{set: set, faults: map[string][]Fault{}, calls: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	return s
}

// Fail answers the next calls of an action, DescribeInstanceTypes say, with faults, one each.
func (s *Server) Fail(action string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[action] = append(s.faults[action], faults...)
}

// Calls is how often an action was called.
func (s *Server) Calls(action string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[action]
}

// begin counts a call, and returns the fault that it meets.
func (s *Server) begin(action string) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[action]++
	if faults := s.faults[action]; len(faults) > 0 {
		s.faults[action] = faults[1:]
		return faults[0], true
	}
	return Fault{}, false
}

// scope finds the region in the signature of a request.
var scope = regexp.MustCompile(`Credential=[^/]+/\d+/([^/]+)/`)

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	found := scope.FindStringSubmatch(r.Header.Get("Authorization"))
	if found == nil {
		http.Error(w, "the request is not signed", http.StatusForbidden)
		return
	}
	if _, action, ok := strings.Cut(r.Header.Get("X-Amz-Target"), "AWSPriceListService."); ok {
		s.prices(w, r, action)
		return
	}
	action := r.FormValue("Action")
	if fault, fails := s.begin(action); fails {
		w.WriteHeader(fault.Status)
		fmt.Fprintf(w, "<Response><Errors><Error><Code>%s</Code><Message>a fault of the test</Message></Error></Errors><RequestID>1</RequestID></Response>", fault.Code)
		return
	}
	var set string
	var entries []any
	switch action {
	case "DescribeInstanceTypes":
		set, entries = "instanceTypeSet", s.types(found[1])
	case "DescribeInstanceTypeOfferings":
		set, entries = "instanceTypeOfferingSet", s.offerings(found[1])
	default:
		http.Error(w, "no such action", http.StatusBadRequest)
		return
	}
	page, next := pageOf(entries, r.FormValue("NextToken"))
	fmt.Fprintf(w, "<%sResponse><requestId>1</requestId>", action)
	element(w, set, page)
	if next != "" {
		element(w, "nextToken", next)
	}
	fmt.Fprintf(w, "</%sResponse>", action)
}

// types are the descriptions of what a region offers.
func (s *Server) types(region string) []any {
	var entries []any
	for _, name := range slices.Sorted(maps.Keys(s.set.Offerings.Regions[region])) {
		var entry map[string]any
		if err := json.Unmarshal(s.set.Types.Types[name], &entry); err != nil {
			panic(fmt.Sprintf("the recorded answer for %s: %v", name, err))
		}
		entry["InstanceType"] = name
		entries = append(entries, entry)
	}
	return entries
}

func (s *Server) offerings(region string) []any {
	var entries []any
	offered := s.set.Offerings.Regions[region]
	for _, name := range slices.Sorted(maps.Keys(offered)) {
		for _, zone := range offered[name] {
			entries = append(entries, map[string]any{"InstanceType": name, "Location": zone, "LocationType": "availability-zone-id"})
		}
	}
	return entries
}

// prices answers the Price List Query API, which is asked in one region about another.
func (s *Server) prices(w http.ResponseWriter, r *http.Request, action string) {
	var in struct {
		NextToken string
		Filters   []struct{ Field, Value string }
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	fault, fails := s.begin(action)
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		fault, fails = Fault{http.StatusBadRequest, "SerializationException"}, true
	}
	if fails {
		w.WriteHeader(fault.Status)
		fmt.Fprintf(w, `{"__type": %q, "Message": "a fault of the test"}`, fault.Code)
		return
	}
	region := ""
	for _, f := range in.Filters {
		if f.Field == "regionCode" {
			region = f.Value
		}
	}
	currency := "USD"
	if strings.HasPrefix(region, "cn-") {
		currency = "CNY"
	}
	var entries []any
	perHour := s.set.Prices.Regions[region]
	for _, name := range slices.Sorted(maps.Keys(perHour)) {
		entries = append(entries, fmt.Sprintf(`{"product": {"attributes": {"instanceType": %q}}, "terms": {"OnDemand": {"T": `+
			`{"priceDimensions": {"D": {"unit": "Hrs", "pricePerUnit": {%q: "%.10f"}}}}}}}`, name, currency, perHour[name]))
	}
	page, next := pageOf(entries, in.NextToken)
	out := map[string]any{"FormatVersion": "aws_v1", "PriceList": page}
	if next != "" {
		out["NextToken"] = next
	}
	_ = json.NewEncoder(w).Encode(out) // a client that hangs up sees an error of its own
}

// pageOf returns the page that a token names, and the token of the next one.
func pageOf(entries []any, token string) ([]any, string) {
	const size = 2
	from, _ := strconv.Atoi(token) // no token is the first page
	to := min(from+size, len(entries))
	next := ""
	if to < len(entries) {
		next = strconv.Itoa(to)
	}
	return entries[min(from, to):to], next
}

// element writes a value as the EC2 Query API does: names begin with a small letter, and the entries of a list are items.
func element(w http.ResponseWriter, name string, value any) {
	name = strings.ToLower(name[:1]) + name[1:]
	fmt.Fprintf(w, "<%s>", name)
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			element(w, key, v[key])
		}
	case []any:
		for _, entry := range v {
			element(w, "item", entry)
		}
	case float64:
		fmt.Fprint(w, strconv.FormatFloat(v, 'f', -1, 64))
	default:
		_ = xml.EscapeText(w, fmt.Append(nil, v)) // as above
	}
	fmt.Fprintf(w, "</%s>", name)
}
