import { join } from 'node:path';
import type { Listening } from '../engine/served/served-console';
import {
  type ConsoleCertificate,
  givenCertificate,
  isNamedIn,
  namesIn,
  ownCertificate,
  wildcardsIn,
} from '../fleet/site/console-certificate';
import { certifiedHosts, reachedAt, thisMachine } from '../fleet/site/hosts';
import { badInput } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { isAddress } from '../protocol/network-address';
import { appFolder } from './app-folder';
import { foldersOfUser } from './settings';

export interface ListenFlags {
  listen?: string;
  certificate?: string;
  key?: string;
}

/** Where other machines reach the console, and how they know it. */
export interface ServedElsewhere {
  listening: Listening;
  /** For people: SHA-256 of the certificate, as a browser shows it. */
  fingerprint: string;
  /** Null: the certificate was given. */
  authorityFile: string | null;
  /** All names of a certificate that has none which stands for one host alone: a name of this machine is to be put in the address. */
  wildcards: readonly string[];
}

/**
 * Null: the console is served on loopback only, the default.
 * @throws WhitelineError BAD_INPUT for a wrong address, for a certificate or key that cannot be used, or for a certificate without a name
 */
export function servedElsewhere({ listen, certificate, key }: ListenFlags): ServedElsewhere | null {
  if (listen === undefined) {
    const [field, value] = certificate === undefined ? ['key', key] : ['certificate', certificate];
    if (value === undefined) return null;
    throw badInput(field, 'a value with --listen alone', value, 'Give --listen ADDRESS too');
  }
  if (!isAddress(listen))
    throw badInput(
      'listen',
      'an address of this machine',
      listen,
      'Use for example 192.0.2.7, or 0.0.0.0 for every IPv4 address',
    );
  const machine = thisMachine();
  const reached = reachedAt(listen, machine);
  const used = certificateOf({ certificate, key }, () => certifiedHosts(listen, machine, []));
  const named = [...reached, machine.hostName, ...namesIn(used)].find((host) => isNamedIn(used, host));
  const wildcards = named === undefined ? wildcardsIn(used) : [];
  const host = named ?? wildcards[0];
  if (host === undefined)
    throw badInput(
      'certificate',
      'one with a name or an address of this machine',
      `${certificate}, which has none`,
      `Have one made whose subjectAltName holds a name of this machine, or ${reached.join(' or ')}`,
    );
  return {
    listening: {
      ...{ address: listen, key: used.key, certificate: used.certificate, host },
      isNamed: (asked) => isNamedIn(used, asked),
    },
    wildcards,
    ...{ fingerprint: used.server.fingerprint256, authorityFile: used.authorityFile },
  };
}

function certificateOf(
  { certificate, key }: Omit<ListenFlags, 'listen'>,
  hosts: () => string[],
): ConsoleCertificate {
  const nowMs = machineClock.wallMs();
  if (certificate === undefined && key === undefined)
    return ownCertificate(join(foldersOfUser(appFolder).userData, 'serve'), hosts(), nowMs);
  if (certificate === undefined)
    throw badInput(
      'certificate',
      'the certificate of the key',
      '',
      'Give both: --certificate FILE --key FILE',
    );
  if (key === undefined)
    throw badInput('key', 'the key of the certificate', '', 'Give both: --certificate FILE --key FILE');
  return givenCertificate(certificate, key, nowMs);
}
