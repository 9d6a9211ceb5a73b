import { isIP } from 'node:net';
import { valueText } from '../../protocol/errors';
import { Refusal } from '../http/reply';
import { validate } from '../schemas/schemas';
import { taiOf } from '../tai';
import type {
  Constraint,
  EndpointKind,
  EndpointPlace,
  Leg,
  ParameterValue,
  ReceiverKind,
  TransportFile,
} from './transport';

/** Requests to stage parameters, checked against the schemas and constraints of IS-05 v1.1. */

export type ActivationMode =
  | 'activate_immediate'
  | 'activate_scheduled_absolute'
  | 'activate_scheduled_relative';

export interface Activation {
  mode: ActivationMode | null;
  requested_time: string | null;
  activation_time: string | null;
}

export const noActivation: Activation = { mode: null, requested_time: null, activation_time: null };

/** What is staged or active, without the activation. */
export interface Parameters {
  master_enable: boolean;
  /** Receiver of a sender, or sender of a receiver. */
  peerId: string | null;
  legs: readonly Leg[];
  /** Of receivers. */
  file: TransportFile;
}

export interface StageRequest {
  changes: Partial<Omit<Parameters, 'legs'>>;
  /** For each leg what changes. */
  legs: readonly Leg[] | null;
  /** Null if the request proves nothing about an activation. */
  activation: {
    mode: ActivationMode | null;
    requestedNs: bigint | null;
    requested_time: string | null;
  } | null;
}

export type EndpointRole = 'sender' | 'receiver';

/** Compiles the schemas of requests, for which the first client would wait. */
export function prepareStaging(role: EndpointRole, { schema }: EndpointKind): void {
  validate('is-05', 'v1.1', `${role}-stage-schema`, {});
  validate('is-05', 'v1.1', `bulk-${role}-post-schema`, []);
  if (schema !== null) validate('is-05', 'v1.1', schema, {});
}

/** By the schema of the role: the fields may be any of these, and no other. */
interface StageBody {
  receiver_id?: string | null;
  sender_id?: string | null;
  master_enable?: boolean;
  activation?: { mode: ActivationMode | null; requested_time?: string | null };
  transport_file?: TransportFile;
  transport_params?: Leg[];
}

/** @throws Refusal 400 that names what is wrong */
export function readStageRequest(role: EndpointRole, kind: EndpointKind, body: unknown): StageRequest {
  if (!isStageBody(role, kind, body)) throw new Refusal(400, 'Expected an object as the body');
  const { master_enable, activation, transport_file: file, transport_params: legs = null } = body;
  const peerId = role === 'sender' ? body.receiver_id : body.sender_id;
  if (legs) checkLegs(kind, legs);
  if (file) checkFile(file);
  return {
    changes: {
      ...(master_enable !== undefined && { master_enable }),
      ...(peerId !== undefined && { peerId }),
      ...(file && { file }),
    },
    legs,
    activation: activation ? readActivation(activation) : null,
  };
}

function isStageBody(role: EndpointRole, { schema }: EndpointKind, body: unknown): body is StageBody {
  if (typeof body !== 'object' || body === null) return false;
  // IS-05 v1.1 refuses parameters of transports that came later: of those all else is checked by its schema.
  const { transport_params, ...others } = { transport_params: undefined, ...body };
  const isLater = schema === null && transport_params !== undefined;
  const failure = validate('is-05', 'v1.1', `${role}-stage-schema`, isLater ? others : body);
  if (failure) throw new Refusal(400, failure.text, failure.path);
  if (isLater && !isListOfLegs(transport_params))
    throw new Refusal(
      400,
      'Expected a list of objects, whose values are texts, numbers, true, false or null, for transport_params',
      '/transport_params',
    );
  return true;
}

function isListOfLegs(value: unknown): boolean {
  const isValue = (one: unknown): boolean =>
    one === null || ['string', 'number', 'boolean'].includes(typeof one);
  const isLeg = (leg: unknown): boolean =>
    typeof leg === 'object' && leg !== null && !Array.isArray(leg) && Object.values(leg).every(isValue);
  return Array.isArray(value) && value.every(isLeg);
}

function checkLegs({ schema, legs: count }: EndpointKind, legs: readonly Leg[]): void {
  if (legs.length !== count)
    throw new Refusal(400, `Expected ${count} legs in transport_params but received ${legs.length}`);
  if (schema === null) return;
  for (const [index, leg] of legs.entries()) {
    const failure = validate('is-05', 'v1.1', schema, leg);
    if (failure) throw new Refusal(400, failure.text, `/transport_params/${index}${failure.path}`);
  }
}

function checkFile({ data, type }: TransportFile): void {
  if ((data === null) !== (type === null))
    throw new Refusal(400, 'Expected data and type of transport_file to be both texts or both null');
}

function readActivation({
  mode,
  requested_time = null,
}: NonNullable<StageBody['activation']>): StageRequest['activation'] {
  const isScheduled = mode === 'activate_scheduled_absolute' || mode === 'activate_scheduled_relative';
  const requestedNs = requested_time === null ? null : taiOf(requested_time);
  if (requested_time !== null && requestedNs === null)
    throw new Refusal(
      400,
      `Expected seconds:nanoseconds with less than a billion nanoseconds for requested_time but received ${requested_time}`,
    );
  if (isScheduled && requestedNs === null)
    throw new Refusal(400, `Expected a time for requested_time with ${mode} but received nothing`);
  if (mode === null && requested_time !== null)
    throw new Refusal(400, 'Expected no requested_time where mode is null, which cancels an activation');
  return { mode, requestedNs, requested_time };
}

/** Staged parameters after a request. @throws Refusal 400 for values outside of the constraints, or a file that cannot be read */
export function stage(
  staged: Parameters,
  { changes, legs }: StageRequest,
  kind: EndpointKind | ReceiverKind,
  place: EndpointPlace,
): Parameters {
  const ofFile = changes.file ? legsOfFile(changes.file, kind, place) : [];
  const next = staged.legs.map((leg, index) => ({ ...leg, ...ofFile[index], ...legs?.[index] }));
  const constraints = kind.constraints(place);
  for (const [index, leg] of next.entries()) checkLeg(leg, kind, constraints, index);
  return { ...staged, ...changes, legs: next };
}

function legsOfFile(
  { data, type }: TransportFile,
  kind: EndpointKind | ReceiverKind,
  place: EndpointPlace,
): Leg[] {
  if (data === null || type === null) return [];
  if (!('readFile' in kind) || !kind.readFile)
    throw new Refusal(400, 'Expected no transport_file for a transport that has none');
  try {
    return kind.readFile({ data, type }, kind.legs, place);
  } catch (error) {
    throw new Refusal(
      400,
      `The transport file is refused: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function checkLeg(
  leg: Leg,
  kind: EndpointKind,
  constraints: Record<string, Constraint>,
  index: number,
): void {
  for (const [name, value] of Object.entries(leg)) {
    const constraint = constraints[name];
    const path = `/transport_params/${index}/${name}`;
    if (!constraint)
      throw new Refusal(
        400,
        `Expected one of ${Object.keys(constraints).join(', ')} but received ${name}`,
        path,
      );
    // It is always allowed where the schema allows it (ConnectionAPI.raml, constraints); without one the transport says where.
    if (value === 'auto' && kind.schema !== null) continue;
    const expected = expectedBy(constraint, value) ?? kind.expected?.(name, value);
    if (expected)
      throw new Refusal(400, `Expected ${expected} for ${path} but received ${valueText(value)}`, path);
  }
}

function expectedBy(
  { enum: allowed, minimum, maximum, pattern }: Constraint,
  value: ParameterValue,
): string | null {
  if (allowed && !allowed.some((one) => sameValue(one, value)))
    return `one of ${allowed.map((one) => valueText(one)).join(', ')}`;
  if (minimum !== undefined && typeof value === 'number' && value < minimum) return `at least ${minimum}`;
  if (maximum !== undefined && typeof value === 'number' && value > maximum) return `at most ${maximum}`;
  const isOther = pattern !== undefined && typeof value === 'string' && !new RegExp(pattern).test(value);
  return isOther ? `a text that matches ${pattern}` : null;
}

/** An IPv6 address may be written in capitals. */
function sameValue(one: ParameterValue, other: ParameterValue): boolean {
  if (one === other) return true;
  return (
    typeof one === 'string' &&
    typeof other === 'string' &&
    isIP(one) === 6 &&
    one.toLowerCase() === other.toLowerCase()
  );
}
