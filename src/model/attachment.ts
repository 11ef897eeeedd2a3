/** A file that travels with an event. */
export interface Attachment {
  filename: string;
  /** Text (sent as UTF-8) or bytes. */
  data: string | Uint8Array;
  /** Media type; `application/octet-stream` when absent. */
  contentType?: string;
  /** Server-side kind; `event.attachment` when absent. */
  attachmentType?: string;
}
