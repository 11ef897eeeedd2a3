/** How a request went: well, with errors that somebody handled, or with one that nobody did. */
export type RequestStatus = 'exited' | 'errored' | 'crashed';

/**
 * The session of one request; sent only as one of many, in counts. Travels in the isolation scope of the request as
 * `sdkProcessingMetadata.requestSession`.
 */
export class RequestSession {
  readonly #count: (status: RequestStatus) => void;
  #status: RequestStatus | undefined = 'exited';

  /** @param count called once, when it is known how the request went */
  constructor(count: (status: RequestStatus) => void) {
    this.#count = count;
  }

  /** Takes in an error that was captured while the request was handled. */
  note(isHandled: boolean): void {
    if (this.#status === undefined) return;
    this.#status = isHandled ? 'errored' : 'crashed';
    // Nothing can change it any more, and the process may not live to see the end of the request.
    if (!isHandled) this.end();
  }

  /** The request is over. */
  end(): void {
    const status = this.#status;
    this.#status = undefined;
    if (status !== undefined) this.#count(status);
  }
}
