package storage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

const (
	atOnce  = 32       // requests of one PutAll
	sumNote = "sha256" // the metadata in which a file's SHA-256 stands
)

// bucket is a place: the objects of an S3 bucket whose keys begin with a prefix.
type bucket struct {
	at     Location
	client *s3.Client
}

// openBucket returns the place without asking the server. Keys come from the environment, a file or the machine's role.
func openBucket(ctx context.Context, at Location) (Place, error) {
	options := []func(*config.LoadOptions) error{
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(impatiently)),
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) { o.MaxAttempts, o.MaxBackoff = 3, time.Second })
		}),
	}
	if at.Region != "" {
		options = append(options, config.WithRegion(at.Region))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("read what the environment says of S3: %w", err)
	}
	if cfg.Region == "" && at.Endpoint != "" {
		cfg.Region = "us-east-1" // what servers other than AWS go by unless they are told otherwise
	}
	if at.Region = cfg.Region; at.Region == "" {
		return nil, fmt.Errorf("which region is the bucket %s in? Name it by region=… behind the ?, or by AWS_REGION", at.Bucket)
	}
	return bucket{at, s3.NewFromConfig(cfg, func(o *s3.Options) {
		if at.Endpoint == "" {
			return
		}
		o.BaseEndpoint, o.UsePathStyle = aws.String(at.Endpoint), true
		o.RequestChecksumCalculation, o.ResponseChecksumValidation = aws.RequestChecksumCalculationWhenRequired, aws.ResponseChecksumValidationWhenRequired
	})}, nil
}

func (b bucket) String() string { return b.at.String() }

func (b bucket) Below(folder string) Place {
	b.at.Prefix = path.Join(b.at.Prefix, folder)
	return b
}

func (bucket) Folder() (string, bool) { return "", false }

func (bucket) Prepare() error { return nil }

func (bucket) Sweep(time.Time) error { return nil } // readers see whole objects alone

func (b bucket) key(name string) *string { return aws.String(path.Join(b.at.Prefix, name)) }

func (b bucket) Put(ctx context.Context, name string, content io.ReadSeeker) error {
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(hash, content); err != nil {
		return err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return b.put(ctx, name, content, size, hex.EncodeToString(hash.Sum(nil)))
}

func (b bucket) put(ctx context.Context, name string, content io.ReadSeeker, size int64, sum string) error {
	ctx, cancel := context.WithTimeout(ctx, within(size))
	defer cancel()
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.at.Bucket, Key: b.key(name), Body: content, ContentLength: &size, Metadata: map[string]string{sumNote: sum},
	})
	if err != nil {
		return later(b.told(err))
	}
	return nil
}

func (b bucket) PutAll(ctx context.Context, files []File) []error {
	errs := make([]error, len(files))
	var all sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	for i, f := range files {
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			sum := sha256.Sum256(f.Content)
			errs[i] = b.put(ctx, f.Name, bytes.NewReader(f.Content), int64(len(f.Content)), hex.EncodeToString(sum[:]))
		})
	}
	all.Wait()
	return errs
}

func (b bucket) Open(ctx context.Context, name string) (io.ReadCloser, Info, error) {
	ctx, cancel := context.WithCancel(ctx)
	limit := time.AfterFunc(requestTime, cancel)
	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.at.Bucket, Key: b.key(name)})
	if err != nil {
		limit.Stop()
		cancel()
		if _, is := errors.AsType[*types.NoSuchKey](err); is {
			return nil, Info{}, notThere(name)
		}
		return nil, Info{}, later(b.told(err))
	}
	limit.Reset(within(aws.ToInt64(out.ContentLength)))
	of := Info{Name: name, Size: aws.ToInt64(out.ContentLength), Changed: aws.ToTime(out.LastModified), Tag: aws.ToString(out.ETag), Sum: out.Metadata[sumNote]}
	return &body{in: out.Body, end: func() { limit.Stop(); cancel() }}, of, nil
}

// body is an object that is being read. What breaks it off is the server's, and no fault of the bytes.
type body struct {
	in  io.ReadCloser
	end func()
}

func (r *body) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = later(fmt.Errorf("the answer breaks off: %w", err))
	}
	return n, err
}

func (r *body) Close() error {
	err := r.in.Close()
	r.end()
	return err
}

func (b bucket) Stat(ctx context.Context, name string) (Info, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	out, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.at.Bucket, Key: b.key(name)})
	if _, is := errors.AsType[*types.NotFound](err); is {
		if err := b.isThere(ctx); err != nil { // the answer has no body, and so does not say what is not found
			return Info{}, later(err)
		}
		return Info{}, notThere(name)
	}
	if err != nil {
		return Info{}, later(b.told(err))
	}
	return Info{Name: name, Size: aws.ToInt64(out.ContentLength), Changed: aws.ToTime(out.LastModified), Tag: aws.ToString(out.ETag), Sum: out.Metadata[sumNote]}, nil
}

// isThere fails if the server does not know the bucket.
func (b bucket) isThere(ctx context.Context) error {
	if _, err := b.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b.at.Bucket}); err != nil {
		return b.told(err)
	}
	return nil
}

func (b bucket) Walk(ctx context.Context, each func(Info) error) error { return b.list(ctx, "", each) }

func (b bucket) List(ctx context.Context) (files []Info, err error) {
	err = b.list(ctx, "/", func(i Info) error {
		if !Hidden(i.Name) {
			files = append(files, i)
		}
		return nil
	})
	return files, err
}

// list calls each with the objects of the place. With a delimiter it leaves out what lies below a further one.
func (b bucket) list(ctx context.Context, delimiter string, each func(Info) error) error {
	in := &s3.ListObjectsV2Input{Bucket: &b.at.Bucket}
	if b.at.Prefix != "" {
		in.Prefix = aws.String(b.at.Prefix + "/")
	}
	if delimiter != "" {
		in.Delimiter = &delimiter
	}
	for pages := s3.NewListObjectsV2Paginator(b.client, in); pages.HasMorePages(); {
		within, cancel := context.WithTimeout(ctx, requestTime)
		page, err := pages.NextPage(within)
		cancel()
		if err != nil {
			return later(b.told(err))
		}
		for _, o := range page.Contents {
			name := strings.TrimPrefix(aws.ToString(o.Key), aws.ToString(in.Prefix))
			if name == "" || strings.HasSuffix(name, "/") { // some programs make objects for folders
				continue
			}
			if err := each(Info{Name: name, Size: aws.ToInt64(o.Size), Changed: aws.ToTime(o.LastModified), Tag: aws.ToString(o.ETag)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b bucket) Move(ctx context.Context, file Info, to string) error {
	limited, cancel := context.WithTimeout(ctx, within(file.Size))
	defer cancel()
	in := &s3.CopyObjectInput{Bucket: &b.at.Bucket, Key: b.key(to), CopySource: aws.String(escaped(b.at.Bucket + "/" + *b.key(file.Name)))}
	if file.Tag != "" {
		in.CopySourceIfMatch = &file.Tag
	}
	if _, err := b.client.CopyObject(limited, in); err != nil {
		if gone(err) {
			return notThere(file.Name)
		}
		return later(b.told(err))
	}
	return b.Remove(ctx, file)
}

// escaped returns a path as it stands in a header.
func escaped(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(url.QueryEscape(p), "+", "%20") // a plus is a space to some servers
	}
	return strings.Join(parts, "/")
}

// Remove asks first, and with the request again, whether the object is still the one that was looked at: not every server looks itself.
func (b bucket) Remove(ctx context.Context, file Info) error {
	in := &s3.DeleteObjectInput{Bucket: &b.at.Bucket, Key: b.key(file.Name)}
	if file.Tag != "" {
		now, err := b.Stat(ctx, file.Name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && now.Tag != file.Tag {
			return nil
		}
		if err != nil {
			return err
		}
		in.IfMatch = &file.Tag
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if _, err := b.client.DeleteObject(ctx, in); err != nil && !gone(err) {
		return later(b.told(err))
	}
	return nil
}
