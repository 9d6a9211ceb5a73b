import type { FlowResource, SourceResource } from './resources';

/** What IS-05 needs to know of a transport, as data, so that another one is another value of this type. */

export type ParameterValue = string | number | boolean | null;
/** Of one leg, by name. */
export type Leg = Readonly<Record<string, ParameterValue>>;

/** The subset of JSON Schema that `/constraints` may use, IS-05 v1.1 constraint-schema.json. */
export interface Constraint {
  enum?: readonly ParameterValue[];
  minimum?: number;
  maximum?: number;
  pattern?: string;
  description?: string;
}

export interface TransportFile {
  data: string | null;
  type: string | null;
}

/** Whom parameters are for. */
export interface EndpointPlace {
  id: string;
  label: string;
  /** IPv4 and IPv6 addresses of the interfaces that media may use, the usual one first. */
  addresses: readonly string[];
  /** What a receiver takes, such as audio/L24; without it anything. */
  mediaTypes?: readonly string[];
}

export interface EndpointKind {
  /** Name of the IS-05 schema of all legs; null for a transport that IS-05 v1.1 has none for. */
  schema: string | null;
  legs: number;
  constraints(place: EndpointPlace): Record<string, Constraint>;
  /**
   * What belongs in the place of a value that schema and constraints allow, such as "a multicast address"; null: this value does.
   * Without a schema it is asked for `auto` too.
   */
  expected?(name: string, value: ParameterValue): string | null;
  /** Parameters that a leg starts with. */
  initial(place: EndpointPlace): Leg;
  /** Without `auto`. @throws Error with the reason if one cannot be found */
  resolve(leg: Leg, place: EndpointPlace, index: number): Leg;
}

export interface SenderKind extends EndpointKind {
  /** Of a sender that sends with these legs; null for a transport without transport files. */
  file: ((legs: readonly Leg[], facts: FileFacts) => { type: string; data: string }) | null;
  /** Whether its receivers are all who listen, or one that it is set to; the second is true of unicast push alone. */
  sendsToOne(legs: readonly Leg[]): boolean;
}

export interface FileFacts {
  label: string;
  /** Grows with each change, as the version of an SDP session has to. */
  sessionVersion: string;
  sessionId: string;
  /** Of the interface by whose clock media is timed: 00-00-5e-00-53-07. */
  clockPortId: string;
  /** Null if none is sent. */
  flow: FlowResource | null;
  source: SourceResource | null;
}

export interface ReceiverKind extends EndpointKind {
  /** Parameters of each leg out of a transport file. @throws Error with the reason; null: it takes no files */
  readFile: ((file: { type: string; data: string }, legs: number, place: EndpointPlace) => Leg[]) | null;
}

export interface Transport {
  /** Without subclassification and version. */
  urn: string;
  sender: SenderKind;
  receiver: ReceiverKind;
}
