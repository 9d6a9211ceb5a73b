import type { Check } from '../check';
import { clock } from './clock';
import { clockTraffic } from './clock-traffic';
import { discovery } from './discovery';
import { discoveryServer } from './discovery-server';
import { diskRate } from './disk-rate';
import { driver } from './driver';
import { dscp } from './dscp';
import { energyEfficient } from './energy-efficient';
import { errors } from './errors';
import { firewallRules } from './firewall-rules';
import { linkSpeed } from './link-speed';
import { listedSources } from './listed-sources';
import { mtu } from './mtu';
import { multicastGroups } from './multicast-groups';
import { ndiPort } from './ndi-port';
import { offloads } from './offloads';
import { pathMtu } from './path-mtu';
import { pcie } from './pcie';
import { governor, powerPlan } from './power';
import { severalInterfaces } from './several-interfaces';
import { socketBuffers } from './socket-buffers';

/** In the order of the table: the card, the way, the machine, and who finds whom. */
export const checks: readonly Check[] = [
  ...[linkSpeed, driver, mtu, pathMtu, energyEfficient, offloads, pcie, errors],
  ...[socketBuffers, governor, powerPlan, clock, clockTraffic],
  ...[multicastGroups, dscp, firewallRules, ndiPort],
  ...[discovery, listedSources, severalInterfaces, discoveryServer],
  diskRate,
];
