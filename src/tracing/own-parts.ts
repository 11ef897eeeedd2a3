import { registerInstance } from '../internal/instances.js';
import type { Client } from '../model/contracts.js';

const clients = new WeakMap<object, Client>();
const classes = new Set<unknown>();

/** Called by each part of ours when it is made. @param client the one client that it was made for, if any */
export function registerPart(part: object, client: Client | undefined): void {
  registerInstance();
  classes.add(part.constructor);
  if (client) clients.set(part, client);
}

/** The client that a part of ours was made for; `undefined` where it serves the current one. */
export function clientGivenTo(part: object): Client | undefined {
  return clients.get(part);
}

/** Whether any part of a class was ever made. */
export function wasMade(partClass: unknown): boolean {
  return classes.has(partClass);
}
