/**
 * A destination of one's own, for tests and examples: takes what an SDK sends, checks it strictly, keeps it, and prints it.
 * `faultline dev` is built from the same parts.
 */
export { Inbox } from './inbox.js';
export type { ParsedEnvelope, ParsedItem } from './parse-envelope.js';
export { MalformedEnvelopeError, parseEnvelope } from './parse-envelope.js';
export type { ExpectedRequest, Reading } from './read-request.js';
export { PROJECT_ID, readRequest } from './read-request.js';
export type { Discard, Json, ReceivedEnvelope, ReceivedItem, ReceivedRequest } from './received.js';
export type { Answer, ReceiverOptions, Respond } from './receiver.js';
export { Receiver, startReceiver } from './receiver.js';
export { renderCounts } from './render/render-counts.js';
export type { RenderOptions } from './render/render-error.js';
export { renderError } from './render/render-error.js';
export { renderTrace } from './render/render-trace.js';
