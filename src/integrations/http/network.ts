import type { Attributes } from '@opentelemetry/api';
import { CANCELLED } from '../../context/request/injected-request.js';
import { readString } from '../../internal/values/read.js';

/** Methods of OTel's conventions; others are `_OTHER`, because clients can invent as many as they like. */
const METHODS: ReadonlySet<string> = new Set('GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY'.split(' '));

/** Adds the attributes of a method; returns its name for spans, which is `HTTP` for an unknown one. */
export function addMethod(attributes: Attributes, method: string): string {
  if (METHODS.has(method)) {
    attributes['http.request.method'] = method;
    return method;
  }
  attributes['http.request.method'] = '_OTHER';
  attributes['http.request.method_original'] = method;
  return 'HTTP';
}

/** Adds the attributes of a server. @param authority `example.com:8080`, `[::1]:80` */
export function addServer(attributes: Attributes, authority: string, protocol: string): void {
  const portAt = authority.lastIndexOf(':');
  const hasPort = portAt > authority.lastIndexOf(']');
  const port = hasPort ? Number(authority.slice(portAt + 1)) : protocol === 'https' ? 443 : 80;
  const address = hasPort ? authority.slice(0, portAt) : authority;
  const isBracketed = address.startsWith('[') && address.endsWith(']');
  attributes['server.address'] = isBracketed ? address.slice(1, -1) : address;
  if (Number.isInteger(port)) attributes['server.port'] = port;
}

/** Adds the attributes of the other end of a connection, unless the connection is gone. */
export function addPeer(
  attributes: Attributes,
  socket: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined } | null | undefined,
): void {
  if (socket?.remoteAddress === undefined) return;
  attributes['network.peer.address'] = socket.remoteAddress;
  if (socket.remotePort !== undefined) attributes['network.peer.port'] = socket.remotePort;
}

/** The value of `error.type`: the code of an error, or its name. @param otherwise for what has neither */
export function errorTypeOf(error: unknown, otherwise = CANCELLED): string {
  return readString(error, 'code') ?? readString(error, 'name') ?? otherwise;
}
