// Package mailer hands documents to the channels by which they leave: e-mail, by SMTP or as files in an
// outbox folder; paper, as PDF files in that folder; and what the debt collector gets, as files in that
// folder or by SFTP. It knows nothing of the database or the queue: what is owed, and when to try again, is
// decided by its callers from the kind of the error.
//
// An error of models.KindUnavailable is worth another attempt; one of models.KindInvalid is for good
// (rule R5c). What a channel has accepted is a success, whatever happens afterwards.
package mailer
