package awscatalog

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
)

// apiError is an answer of AWS that is an error, whatever service it is of.
type apiError interface {
	error
	ErrorCode() string
}

// The codes that services have for the same thing.
//
// Source: EC2 API, "Error codes"; AWS SDKs, "Common error types".
var (
	deniedCodes    = []string{"UnauthorizedOperation", "AccessDenied", "AccessDeniedException"}
	unknownCodes   = []string{"AuthFailure", "InvalidClientTokenId", "UnrecognizedClientException", "SignatureDoesNotMatch", "OptInRequired"}
	expiredCodes   = []string{"RequestExpired", "ExpiredToken", "ExpiredTokenException"}
	throttledCodes = []string{"RequestLimitExceeded", "Throttling", "ThrottlingException", "TooManyRequestsException"}
)

func coded(err error, codes []string) bool {
	var api apiError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode())
}

// denied says that the identity may not ask.
func denied(err error) bool { return coded(err, deniedCodes) || coded(err, unknownCodes) }

// explain says what an error means for whoever asked, and what to do about it. The action is what was asked, as IAM
// writes it.
func explain(err error, action, region string) error {
	about := fmt.Sprintf("asking AWS about %s (%s): ", region, action)
	var network *net.OpError
	var name *net.DNSError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case coded(err, deniedCodes):
		return fmt.Errorf("%sthe identity may not: give it the permission %s: %w", about, action, err)
	case coded(err, expiredCodes):
		return fmt.Errorf("%sthe credentials have expired: sign in again (aws sso login), or set new ones: %w", about, err)
	case coded(err, unknownCodes):
		return fmt.Errorf("%sAWS does not take these credentials there: they are wrong, of another partition, or the account has not enabled %s: %w", about, region, err)
	case coded(err, throttledCodes):
		return fmt.Errorf("%sAWS is asked too often by this account: try again in a minute: %w", about, err)
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Errorf("%sthere is no %s: is the name of the region right, and is there a network?: %w", about, name.Name, err)
	case errors.As(err, &name), errors.As(err, &network):
		return fmt.Errorf("%sAWS cannot be reached: is there a network, and a proxy to set?: %w", about, err)
	}
	return fmt.Errorf("%s%w", about, err)
}
