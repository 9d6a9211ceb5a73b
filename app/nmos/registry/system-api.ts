import { hostname } from 'node:os';
import { badInput } from '../../protocol/errors';
import { json } from '../http/reply';
import type { Router } from '../http/router';
import { nameId } from '../name-id';
import { validate } from '../schemas/schemas';

/** The System API of IS-09 v1.0. */

export interface SystemParameters {
  /** Between two heartbeats of a node, s, 1 to 1000. */
  heartbeatSeconds: number;
  /** Intervals of PTP announcements that pass before a timeout, 2 to 10. */
  announceReceiptTimeout: number;
  /** 0 to 127. */
  ptpDomain: number;
  label: string;
}

export const usualSystem: SystemParameters = {
  ...{ heartbeatSeconds: 5, announceReceiptTimeout: 3, ptpDomain: 127 },
  label: 'Whiteline',
};

/** @throws WhitelineError BAD_INPUT for a parameter that IS-09 does not permit */
export function addSystemApi(router: Router, system: SystemParameters): void {
  const resource = globalResource(system);
  const failure = validate('is-09', 'v1.0', 'global', resource);
  if (failure) throw badInput(failure.path, failure.expected, failure.value);
  router.list('/x-nmos/system', ['v1.0']);
  router.list('/x-nmos/system/v1.0', ['global']);
  router.on('GET', '/x-nmos/system/v1.0/global', () => json(200, resource));
}

function globalResource(system: SystemParameters): Record<string, unknown> {
  return {
    // The same after each start: a node judges by it whether it is in the system that it was in.
    id: nameId(`system ${hostname()} ${JSON.stringify(system)}`),
    // A system with other parameters is another one: it has another id.
    version: '0:0',
    ...{ label: system.label, description: 'Parameters of all nodes of this system', tags: {} },
    is04: { heartbeat_interval: system.heartbeatSeconds },
    ptp: { announce_receipt_timeout: system.announceReceiptTimeout, domain_number: system.ptpDomain },
  };
}
