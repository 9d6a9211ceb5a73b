// Generated from the folders beside it: `vitest -u` writes it, and so does `npm run new`.
import { codecQualityDeclaration } from './codec-quality/declaration';
import type { ExperimentDeclaration } from './declaration';
import { fanOutDeclaration } from './fan-out/declaration';
import { linkDeclaration } from './link/declaration';
import { matrixDeclaration } from './matrix/declaration';
import { nmosScaleDeclaration } from './nmos-scale/declaration';
import { pacingDeclaration } from './pacing/declaration';
import { preflightDeclaration } from './preflight/declaration';
import { quietDeclaration } from './quiet/declaration';
import { receiverFanOutDeclaration } from './receiver-fan-out/declaration';
import { storageDeclaration } from './storage/declaration';
import { streamLoadDeclaration } from './stream-load/declaration';
import { transportDeclaration } from './transport/declaration';

/** Every experiment, in the order in which they are offered. */
export const declarations: readonly ExperimentDeclaration[] = [
  codecQualityDeclaration,
  fanOutDeclaration,
  linkDeclaration,
  matrixDeclaration,
  nmosScaleDeclaration,
  pacingDeclaration,
  preflightDeclaration,
  quietDeclaration,
  receiverFanOutDeclaration,
  storageDeclaration,
  streamLoadDeclaration,
  transportDeclaration,
].sort((one, other) => one.order - other.order);
