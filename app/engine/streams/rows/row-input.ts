import type { Fact } from '../../../facts/fact';
import type { Guard } from '../../../facts/precedence';
import type { LoadSample } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import type { LoadSums } from '../../load/load-sums';
import type { ProcessStandstill } from '../../load/standstills';
import type { MachineSide } from '../../machines/machine-side';
import type { MeasuredStream } from './measured-stream';
import type { ReceivingMachine } from './receiving-machines';

/** What a row is built of. */
export interface RowInput {
  index: number;
  fromNs: number;
  toNs: number;
  streams: MeasuredStream[];
  /** Sums of the samples whose second lies within the row. */
  load: LoadSums;
  /** All samples that are known, oldest first: those around a loss may explain it. */
  samples: readonly LoadSample[];
  /** Standstills of our own processes near the time between two moments. */
  standstills(fromNs: number, toNs: number): readonly ProcessStandstill[];
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Whether the instrument kept up; none for a row as it stands. */
  guards: readonly Guard[];
  /** What makes all figures of the row void. */
  contradictions: readonly Fact[];
  /** The senders are not those of this process: their load is what they report of it. */
  isSenderRemote: boolean;
  /** The machine of all senders, where this console knows what it was sampled, and the receivers are on another one. */
  senderSide?: MachineSide;
  /** The two machines of the fleet are parts of one: what they send to each other stays on its loopback. */
  overLoopback?: boolean;
  /** Samples of this machine, if the receivers are on another one. */
  ownSamples?: readonly LoadSample[];
  /** Between rows: streams that are not in the row come and go, and travel too. */
  isBetween: boolean;
  /** Name of this machine, where another one receives. */
  consoleName?: string;
  /** Name of the machine that receives. */
  hostName: string;
  /** Each machine that receives, where there are several: `load`, `samples` and `hostName` are of the first of them. */
  receivers?: readonly ReceivingMachine[];
  /** False for a row as it stands, which is built again and again: its losses are reported when it is closed. */
  explainsLosses: boolean;
}
