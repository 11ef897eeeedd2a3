/**
 * A file sent with an event.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/envelope-items/
 */
export interface Attachment {
  /** Name under which servers show and download the file. */
  filename: string;
  /**
   * String (sent as UTF-8) or bytes, whole. Other values are sent as JSON of about 512 kB and lists of 10,000 elements at
   * most; markers like `[MaxSize ~]` stand where the rest was.
   */
  data: string | Uint8Array;
  /** Media type. @default 'application/octet-stream' */
  contentType?: string | undefined;
  /** Type of the attachment on the server. @default 'event.attachment' */
  attachmentType?: string | undefined;
}
