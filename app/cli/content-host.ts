import { machineClock } from '../engine/clock';
import { ContentHosts } from '../engine/content/content-hosts';
import { nodeApplication } from './folders';

/** Those of a command. */
export const contentHosts = new ContentHosts(nodeApplication(), machineClock);
