import { finishing } from './finishing';
import { experimentFlags } from './flags';

/** For commands whose parameters are flags, those of experiments among them. */
export const finish = finishing(experimentFlags);
