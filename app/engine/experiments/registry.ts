import { declarationOf } from '../../protocol/experiments/registry';
import { codecQuality } from './codec-quality/codec-quality';
import type { Experiment } from './experiment';
import { fanOut } from './fan-out/fan-out';
import { link } from './link/link';
import { nmosScale } from './nmos-scale/nmos-scale';
import { pacing } from './pacing/pacing';
import { preflight } from './preflight/preflight';
import { quiet } from './quiet/quiet';
import { receiverFanOut } from './receiver-fan-out/receiver-fan-out';
import { storage } from './storage/storage';
import { streamLoad } from './stream-load/stream-load';
import { transport } from './transport/transport';

/** In the order of their declarations. Parameters are checked by an experiment's own schema before they reach it. */
export const experiments: readonly Experiment[] = [
  streamLoad,
  receiverFanOut,
  codecQuality,
  transport,
  link,
  storage,
  preflight,
  quiet,
  pacing,
  fanOut,
  nmosScale,
];

/** @throws WhitelineError BAD_INPUT for an id that no experiment has */
export function experimentOf(id: string): Experiment {
  const declaration = declarationOf(id);
  const experiment = experiments.find((candidate) => candidate.declaration === declaration);
  if (!experiment) throw new Error(`${id} is declared and does nothing`);
  return experiment;
}
