package engine

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Diff compares the arguments a resource has with those it shall have.
func (s *Server) Diff(_ context.Context, req *pulumirpc.DiffRequest) (*pulumirpc.DiffResponse, error) {
	res, err := s.provider.find(string(resource.URN(req.GetUrn()).Type()))
	if err != nil {
		return nil, failure(err)
	}
	olds, err := plugin.UnmarshalProperties(req.GetOldInputs(), receive)
	if err != nil {
		return nil, failure(err)
	}
	news, err := plugin.UnmarshalProperties(req.GetNews(), receive)
	if err != nil {
		return nil, failure(err)
	}
	var changed []string
	if res.ReplaceIf != nil {
		changed = res.ReplaceIf(Props(olds), Props(news))
	}
	resp := diff(olds, news, func(path string) bool { return res.replaces(path) || slices.Contains(changed, path) })
	resp.DeleteBeforeReplace = len(resp.GetReplaces()) > 0 && (res.DeleteFirst || res.keepsName(olds, news))
	return resp, nil
}

// replaces says whether a change at path makes the resource anew: the path, or one above it, is in r.Replace.
func (r *Resource) replaces(path string) bool {
	path = index.ReplaceAllString(path, "")
	return slices.ContainsFunc(r.Replace, func(p string) bool {
		return path == p || strings.HasPrefix(path, p+".") || strings.HasPrefix(p, path+".")
	})
}

var index = regexp.MustCompile(`\[[^\]]*\]`)

// keepsName says whether a replacement would ask for the very name that the old resource holds.
func (r *Resource) keepsName(olds, news resource.PropertyMap) bool {
	if r.AutoName == nil || r.AutoName.chosen(news) {
		return false
	}
	key := resource.PropertyKey(r.AutoName.Property)
	return given(olds, key) && given(news, key) && plain(olds[key]).DeepEquals(plain(news[key]))
}

// diff is the difference of two sets of arguments; replaces says which paths make a resource anew.
func diff(olds, news resource.PropertyMap, replaces func(path string) bool) *pulumirpc.DiffResponse {
	resp := &pulumirpc.DiffResponse{
		Changes: pulumirpc.DiffResponse_DIFF_NONE, HasDetailedDiff: true, DetailedDiff: map[string]*pulumirpc.PropertyDiff{},
	}
	internal := func(key resource.PropertyKey) bool { return strings.HasPrefix(string(key), "__") }
	changes := plainMap(olds).Diff(plainMap(news), internal)
	for path, change := range plugin.NewDetailedDiffFromObjectDiff(changes, true) {
		kind := change.Kind
		if replaces(path) {
			kind = kind.AsReplace()
			resp.Replaces = append(resp.Replaces, topLevel(path))
		}
		resp.DetailedDiff[path] = &pulumirpc.PropertyDiff{Kind: rpcKinds[kind], InputDiff: true}
		resp.Diffs = append(resp.Diffs, topLevel(path))
	}
	if len(resp.Diffs) > 0 {
		resp.Changes = pulumirpc.DiffResponse_DIFF_SOME
	}
	resp.Diffs, resp.Replaces = sortedSet(resp.Diffs), sortedSet(resp.Replaces)
	return resp
}

func sortedSet(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

// topLevel returns the property that a path begins with: the engine's lists name whole properties.
func topLevel(path string) string { return path[:strings.IndexAny(path+".", ".[")] }

var rpcKinds = map[plugin.DiffKind]pulumirpc.PropertyDiff_Kind{
	plugin.DiffAdd:           pulumirpc.PropertyDiff_ADD,
	plugin.DiffAddReplace:    pulumirpc.PropertyDiff_ADD_REPLACE,
	plugin.DiffDelete:        pulumirpc.PropertyDiff_DELETE,
	plugin.DiffDeleteReplace: pulumirpc.PropertyDiff_DELETE_REPLACE,
	plugin.DiffUpdate:        pulumirpc.PropertyDiff_UPDATE,
	plugin.DiffUpdateReplace: pulumirpc.PropertyDiff_UPDATE_REPLACE,
}
