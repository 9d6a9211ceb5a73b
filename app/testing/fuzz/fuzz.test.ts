import { fuzz } from './fuzz';
import { fuzzTargets } from './targets';

fuzz(fuzzTargets);
