/** How a request ended: without errors, with handled errors, or with an unhandled one. */
export type RequestStatus = 'exited' | 'errored' | 'crashed';

/**
 * The session of one request; only counts of many are sent. It is in the isolation scope of the request, as
 * `sdkProcessingMetadata.requestSession`.
 */
export class RequestSession {
  readonly #count: (status: RequestStatus) => void;
  #status: RequestStatus | undefined = 'exited';

  /** @param count called once, when the final status is known */
  constructor(count: (status: RequestStatus) => void) {
    this.#count = count;
  }

  /** Notes an error that was captured during the request. */
  note(isHandled: boolean): void {
    if (this.#status === undefined) return;
    this.#status = isHandled ? 'errored' : 'crashed';
    // The status is final, and the process may end before the request does.
    if (!isHandled) this.end();
  }

  /** The request is over. */
  end(): void {
    const status = this.#status;
    this.#status = undefined;
    if (status !== undefined) this.#count(status);
  }
}
