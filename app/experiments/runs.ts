// Generated from the folders beside it: `vitest -u` writes it, and so does `npm run new`.
import type { Experiment } from '../engine/experiment/experiment';
import { codecQuality } from './codec-quality/codec-quality';
import { fanOut } from './fan-out/fan-out';
import { link } from './link/link';
import { matrix } from './matrix/matrix';
import { nmosScale } from './nmos-scale/nmos-scale';
import { pacing } from './pacing/pacing';
import { preflight } from './preflight/preflight';
import { quiet } from './quiet/quiet';
import { receiverFanOut } from './receiver-fan-out/receiver-fan-out';
import { storage } from './storage/storage';
import { streamLoad } from './stream-load/stream-load';
import { transport } from './transport/transport';

/** What each experiment does. Parameters are checked by its own schema before they reach it. */
export const experiments: readonly Experiment[] = [
  codecQuality,
  fanOut,
  link,
  matrix,
  nmosScale,
  pacing,
  preflight,
  quiet,
  receiverFanOut,
  storage,
  streamLoad,
  transport,
].sort((one, other) => one.declaration.order - other.declaration.order);
