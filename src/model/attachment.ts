/**
 * A file that travels with an event.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/envelope-items/
 */
export interface Attachment {
  /** Name under which servers show and download it. */
  filename: string;
  /** Text (sent as UTF-8) or bytes. */
  data: string | Uint8Array;
  /** Media type. @default 'application/octet-stream' */
  contentType?: string | undefined;
  /** Server-side kind. @default 'event.attachment' */
  attachmentType?: string | undefined;
}
