import type { Rate } from '../../../protocol/format';
import type { PixelFormat } from '../../../protocol/records';
import type { NdiTarget } from './ndi-transport';

/** A sender of this console, in its live run. */
export interface OwnStream {
  id: number;
  /** NDI's full one. */
  fullName: string;
  width: number;
  height: number;
  rate: Rate;
  pixelFormat: PixelFormat;
}

/** A sender elsewhere that the live run follows. */
export interface FollowedStream {
  id: number;
  /** By which it is looked for: NDI's full name, or the part in brackets. */
  name: string;
  /** NDI's full name, once it is found; before that empty. */
  fullName: string;
}

/** What an event of the run says of an activation, beside its sentence. */
export type ActivationDetails = ActivationOf & {
  did: 'follow' | 'move' | 'stop' | 'refuse';
  /** NDI's full name; null: none. */
  source: string | null;
  /** "address:port" where it was given one. */
  address: string | null;
  /** What the receiver followed before. */
  before: string | null;
  /** Why it was refused. */
  reason?: string;
};

export type ActivationOf = {
  /** Address of the controller. */
  from: string;
  /** Counted from 1. */
  receiver: number;
  receiverId: string;
  senderId: string | null;
};

/** The streams of the live run, as the console's node sees and changes them. */
export interface NodeStreams {
  own(): readonly OwnStream[];
  followed(): readonly FollowedStream[];
  /**
   * Follows the target and stops the stream of `instead`, as one change. Changes run one after the other.
   * @returns id of the new stream; null without a target
   * @throws WhitelineError if the change fails
   */
  change(change: { instead: number | null; target: NdiTarget | null }): Promise<number | null>;
  /** Into the run that is recorded. */
  note(text: string, details: ActivationDetails, streamId: number | undefined): void;
}
