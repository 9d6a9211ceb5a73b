import { fuzz } from './fuzz';
import { nmosConnectionTargets } from './nmos-connection-targets';
import { nmosControllerTargets } from './nmos-controller-targets';
import { nmosTargets } from './nmos-targets';

fuzz([...nmosTargets, ...nmosConnectionTargets, ...nmosControllerTargets]);
