/** A request that was ended although the destination may have answered later. It says nothing about the destination. */
export class AbortedRequest extends Error {}
