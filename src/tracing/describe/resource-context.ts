import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { isThenable } from '../../internal/guard.js';
import { Normalizer } from '../../internal/values/normalize.js';
import { declareConstant } from '../../model/event/constant-context.js';
import type { InnerClient } from '../../model/inner-client.js';
import { namesOf } from '../../scrubbing/sensitive-names.js';

type Resource = ReadableSpan['resource'];
type ResourceAttributes = Resource['attributes'];

// A type alias, because an interface is not assignable to the index type as which contexts are declared.
type OtelContext = { readonly resource: ResourceAttributes };

const COMMAND_KEYS = ['process.command_args', 'process.command_line', 'process.owner'] as const;

const COPY = { maxBreadth: Number.POSITIVE_INFINITY };

/** The context `otel` of a client's transactions, made once: as a rule they share one resource, which may be large. */
export class ResourceContext {
  readonly #isCommandRemoved: boolean;
  #resource: Resource | undefined;
  #context: OtelContext | undefined;

  constructor({ settings }: InnerClient) {
    this.#isCommandRemoved = namesOf(settings).filtersPersonalData;
  }

  of(resource: Resource): OtelContext {
    if (this.#context && resource === this.#resource) return this.#context;
    const known = knownAttributes(resource);
    const context = { resource: this.#isCommandRemoved ? withoutCommand(known) : known };
    if (resource.asyncAttributesPending) return context;
    this.#resource = resource;
    // A JSON copy: constants are copied for user code, and a resource may have cycles.
    this.#context = declareConstant(new Normalizer(COPY).copy(context, Number.POSITIVE_INFINITY) as OtelContext);
    return this.#context;
  }
}

/** The attributes known so far: OTel logs an error when `attributes` is read while detectors still run. */
function knownAttributes(resource: Resource): ResourceAttributes {
  if (!resource.asyncAttributesPending) return resource.attributes;
  const known: ResourceAttributes = {};
  for (const [key, value] of resource.getRawAttributes()) {
    if (!isThenable(value)) known[key] ??= value;
  }
  return known;
}

/** Removes the command line and the owner of the process, which may hold secrets. */
function withoutCommand(attributes: ResourceAttributes): ResourceAttributes {
  if (COMMAND_KEYS.every((key) => attributes[key] === undefined)) return attributes;
  const rest = { ...attributes };
  for (const key of COMMAND_KEYS) delete rest[key];
  return rest;
}
