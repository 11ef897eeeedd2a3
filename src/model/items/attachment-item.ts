import { isAnyArrayBuffer, isUint8Array } from 'node:util/types';
import { guardOwn } from '../../internal/guard.js';
import { copyOwn, MAX_MEMBERS } from '../../internal/values/copy-own.js';
import { stringify } from '../../internal/values/json.js';
import { normalize } from '../../internal/values/normalize.js';
import { isNonEmptyString, limitLength } from '../../internal/values/strings.js';
import type { OutgoingItem } from '../delivery/outbox.js';
import type { Quantities } from '../delivery/outcome.js';
import type { Attachment } from '../event/attachment.js';

/** Limits for file name and types, because servers accept 8,192 bytes of headers for an item. */
const MAX_NAME_LENGTH = 1024;
const MAX_NAME_BYTES = 2000;
/** Limit for data that is an object. More levels are rare, and a mistake. */
const MAX_DEPTH = 100;
const ONE_ATTACHMENT: Quantities = [['attachment', 1]];

/** Builds the item of a file, sent in its event's envelope. */
export function createAttachmentItem(attachment: Attachment): OutgoingItem {
  const { filename, contentType, attachmentType, data } = copyOwn(attachment) as Partial<Attachment>;
  return {
    content: [
      {
        type: 'attachment',
        filename: isNonEmptyString(filename) ? limitName(filename) : 'attachment',
        ...(isNonEmptyString(contentType) ? { content_type: limitName(contentType) } : undefined),
        ...(isNonEmptyString(attachmentType) ? { attachment_type: limitName(attachmentType) } : undefined),
      },
      guardOwn('reading the data of an attachment', () => toPayload(data), ''),
    ],
    quantities: ONE_ATTACHMENT,
  };
}

function limitName(name: string): string {
  let limited = limitLength(name, MAX_NAME_LENGTH);
  for (;;) {
    // As JSON: a character has up to six bytes there.
    const share = MAX_NAME_BYTES / Buffer.byteLength(stringify(limited));
    if (share >= 1) return limited;
    limited = limitLength(limited, Math.floor(limited.length * share));
  }
}

/**
 * Strings and bytes stay unchanged, other binary values become bytes, everything else JSON; missing data becomes empty.
 * JSON is limited like that of an event, because a scope's attachment is written for each event.
 *
 * @throws for a detached buffer, for example one transferred to a worker
 */
function toPayload(data: unknown): string | Uint8Array {
  if (typeof data === 'string' || isUint8Array(data)) return data;
  if (isAnyArrayBuffer(data)) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data === undefined || data === null ? '' : stringify(normalize(data, MAX_DEPTH, MAX_MEMBERS));
}
