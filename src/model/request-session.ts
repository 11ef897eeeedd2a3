/** Outcome of a request: no errors, handled errors, or an unhandled error. */
export type RequestStatus = 'exited' | 'errored' | 'crashed';

/**
 * The session of one request; only aggregated counts are sent. Stored in the request's isolation scope, as
 * `sdkProcessingMetadata.requestSession`.
 */
export class RequestSession {
  readonly #count: (status: RequestStatus) => void;
  #status: RequestStatus | undefined = 'exited';

  /** @param count called once, when the final status is known */
  constructor(count: (status: RequestStatus) => void) {
    this.#count = count;
  }

  /** Records an error captured during the request. */
  note(isHandled: boolean): void {
    if (this.#status === undefined) return;
    this.#status = isHandled ? 'errored' : 'crashed';
    // The status is final, and the process may end before the request does.
    if (!isHandled) this.end();
  }

  /** Ends the session with the request. */
  end(): void {
    const status = this.#status;
    this.#status = undefined;
    if (status !== undefined) this.#count(status);
  }
}
