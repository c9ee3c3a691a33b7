package storage

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
)

// gone reports whether an answer says that an object is not there, or is another one than was asked for.
func gone(err error) bool {
	api, is := errors.AsType[smithy.APIError](err)
	return is && (api.ErrorCode() == "NoSuchKey" || api.ErrorCode() == "PreconditionFailed")
}

// wrongKey are the codes of answers to a key that is unknown, wrong or too old. The last is the Versity gateway's.
var wrongKey = []string{"InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "XAdminUserNotFound"}

// told says what an answer, or the lack of one, means for who runs the program. It names bucket, region or endpoint.
func (b bucket) told(err error) error {
	where := b.at.Endpoint
	if where == "" {
		where = "AWS"
	}
	status := 0
	if answer, is := errors.AsType[*awshttp.ResponseError](err); is {
		status = answer.HTTPStatusCode()
	}
	code := ""
	if api, is := errors.AsType[smithy.APIError](err); is {
		code = api.ErrorCode()
	}
	var said string
	switch {
	case slices.Contains(wrongKey, code):
		said = fmt.Sprintf("%s does not know the key that purr signs with for the bucket %s: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the file or the role", where, b.at.Bucket)
	case code == "NoSuchBucket" || code == "NotFound" || code == "InvalidBucketName":
		said = fmt.Sprintf("there is no bucket %s in region %s at %s", b.at.Bucket, b.at.Region, where)
	case status == http.StatusMovedPermanently || code == "PermanentRedirect" || code == "AuthorizationHeaderMalformed" || code == "IllegalLocationConstraintException" || code == "InvalidRegion" || strings.Contains(err.Error(), "region"):
		said = fmt.Sprintf("the bucket %s is not in region %s, says %s", b.at.Bucket, b.at.Region, where)
	case code == "AccessDenied" || status == http.StatusForbidden || status == http.StatusUnauthorized:
		said = fmt.Sprintf("%s does not let this key read and write in the bucket %s: look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the file or the role, and at what it may do", where, b.at.Bucket)
	case noKey(err):
		said = fmt.Sprintf("there is no key for the bucket %s: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, name a file by AWS_SHARED_CREDENTIALS_FILE, or give the machine a role", b.at.Bucket)
	case status != 0:
		said = fmt.Sprintf("the endpoint %s answers with %d for the bucket %s", where, status, b.at.Bucket)
	default:
		said = fmt.Sprintf("the endpoint %s does not answer for the bucket %s", where, b.at.Bucket)
	}
	return fmt.Errorf("%s: %w", said, err)
}

// noKey reports whether a request was not made because nothing signs it.
func noKey(err error) bool {
	return strings.Contains(err.Error(), "get identity") || strings.Contains(err.Error(), "get credentials")
}

// SetupError is the error of storage that a start has found unusable (rule K9).
type SetupError struct{ Err error }

// Error says what is wrong.
func (e SetupError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e SetupError) Unwrap() error { return e.Err }

// Check writes a small file, reads it and removes it. A server that does not answer yet is asked again for half a minute. Its error
// names bucket, region or endpoint. Of a folder it does nothing: who opens it says what is wrong.
func Check(ctx context.Context, p Place) error {
	b, is := p.(bucket)
	if !is {
		return nil
	}
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := b.try(ctx)
		if err == nil || isAnswer(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// isAnswer reports whether asking again cannot help: the server, or nobody of that name, has answered.
func isAnswer(err error) bool {
	if noKey(err) {
		return true
	}
	if dns, is := errors.AsType[*net.DNSError](err); is && dns.IsNotFound {
		return true
	}
	answer, is := errors.AsType[*awshttp.ResponseError](err)
	return is && answer.HTTPStatusCode() < http.StatusInternalServerError && answer.HTTPStatusCode() != http.StatusConflict
}

// try writes, reads and removes a file that no list shows.
func (b bucket) try(ctx context.Context) error {
	name, content := ".try-"+strings.ToLower(rand.Text()), []byte("purr was here\n")
	if _, err := b.client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{Bucket: &b.at.Bucket, Prefix: b.key("."), MaxKeys: &one}); err != nil {
		return b.told(err) // a bucket and a region that are wrong are told apart by this answer, which has a body
	}
	if err := b.Put(ctx, name, bytes.NewReader(content)); err != nil {
		return err
	}
	in, _, err := b.Open(ctx, name)
	if err != nil {
		return err
	}
	got, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	if err := b.Remove(ctx, Info{Name: name}); err != nil {
		return err
	}
	if !bytes.Equal(got, content) {
		return fmt.Errorf("the bucket %s gives other bytes than were put into it", b.at.Bucket)
	}
	return nil
}

var one int32 = 1
