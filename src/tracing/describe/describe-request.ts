import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { nameOperation, type RunningRequest } from '../../context/request/running-request.js';
import { nonEmptyStringOf } from '../../internal/values/strings.js';
import type { SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { httpMethodOf, ROUTE } from './attribute-text.js';
import { describeSpan, GRAPHQL_OPERATION, type SpanDescription } from './describe-span.js';
import { scopeOf } from './instrumentation.js';

/**
 * Completes the description of a request's root with a route and GraphQL operations that the root does not have: from the
 * spans below it, or from the framework.
 *
 * @param description inferred from the root alone
 * @param request what the SDK knows about the request
 */
export function describeRequest(
  root: ReadableSpan,
  children: readonly ReadableSpan[],
  description: SpanDescription,
  names: SensitiveNames,
  request: Pick<RunningRequest, 'route' | 'operations'> | undefined,
): SpanDescription {
  const method = httpMethodOf(root);
  if (root.kind !== SpanKind.SERVER || method === undefined) return description;
  const found: Record<string, string | string[]> = {};
  const route = root.attributes[ROUTE] === undefined ? (routeBelow(children, method) ?? request?.route) : undefined;
  const operations =
    root.attributes[GRAPHQL_OPERATION] === undefined ? [...operationsBelow(children, request?.operations)] : [];
  if (route !== undefined) found[ROUTE] = route;
  if (operations.length > 0) found[GRAPHQL_OPERATION] = operations.length > 1 ? operations : operations[0]!;
  if (route === undefined && operations.length === 0) return description;
  if (description.source === 'custom') return { ...description, data: { ...description.data, ...found } };
  const { name, kind, attributes } = root;
  const withFound = { name, kind, attributes: { ...attributes, ...found }, instrumentationScope: scopeOf(root) };
  const described = describeSpan(withFound, names);
  return { ...described, data: { ...described.data, ...found } };
}

/** From the span that ended last: earlier ones may be requests of the application to itself. */
function routeBelow(children: readonly ReadableSpan[], method: unknown): string | undefined {
  const server = children.findLast((span) => span.kind === SpanKind.SERVER && httpMethodOf(span) === method);
  return nonEmptyStringOf(server?.attributes[ROUTE]);
}

/**
 * The route that only a span of the framework knows: of Next.js, whose server span has the path alone, and of a server span within
 * that of the request.
 */
export function routeOfFramework({ attributes, kind }: ReadableSpan): string | undefined {
  return nonEmptyStringOf(attributes['next.route'] ?? (kind === SpanKind.SERVER ? attributes[ROUTE] : undefined));
}

function operationsBelow(
  children: readonly ReadableSpan[],
  known: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const operations = new Set(known);
  for (const { attributes } of children) {
    const type = attributes['graphql.operation.type'];
    if (typeof type === 'string') operations.add(nameOperation(type, attributes['graphql.operation.name']));
  }
  return operations;
}
