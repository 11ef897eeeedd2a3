/**
 * A local destination, for tests and examples: takes what an SDK sends, checks it strictly, keeps it, and prints it.
 * `faultline dev` is built from the same parts.
 */
export { Inbox } from './inbox.js';
export { MalformedEnvelopeError, type ParsedEnvelope, type ParsedItem, parseEnvelope } from './parse-envelope.js';
export { type ExpectedRequest, PROJECT_ID, type Reading, readRequest } from './read-request.js';
export type { Discard, Json, ReceivedEnvelope, ReceivedItem, ReceivedRequest } from './received.js';
export { type Answer, Receiver, type ReceiverOptions, type Respond, startReceiver } from './receiver.js';
export { renderCounts } from './render/render-counts.js';
export { type RenderOptions, renderError } from './render/render-error.js';
export { renderTrace } from './render/render-trace.js';
