import { fuzz } from './fuzz';
import { nmosTargets } from './nmos-targets';

fuzz(nmosTargets);
