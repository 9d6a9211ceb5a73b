import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { hostOf, isAddress, lastPort } from '../../protocol/network-address';
import { parsedBy } from '../../protocol/parsed-by';
import { safeParse } from '../../protocol/safe-parse';
import { newSecret, secretSchema } from './agent-name';
import { type InvitedAgent, InvitedAgents } from './agents';
import { certifiedHosts, type Machine, ownAddress, reachedAt } from './hosts';
import {
  daysLeft,
  type Identity,
  isInForce,
  makeAuthority,
  makeServerIdentity,
  readIdentity,
} from './identity';
import { type JoinFile, joinFileText, serverUrl } from './join-file';
import { jsonOf } from './json-text';
import { damaged, makePrivateFolder, readPrivateFile, replacePrivateFile } from './private-files';
import { configurationText, consoleUser, fleetServerName, newServerName } from './server-configuration';

/** A join file names no more. */
export const mostServers = 16;

const siteSettingsSchema = z.object({
  version: z.literal(1),
  listen: z.string().refine(isAddress),
  port: z.int().min(1).max(lastPort),
  consoleSecret: secretSchema,
  /** How the server calls itself until it is started again: no server bears that this changes while it runs. */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/)
    .default(fleetServerName),
  /** Names or addresses of the machines on which the server of this fleet runs; empty: on this one alone, at the addresses that it has. */
  servers: z
    .array(z.string().superRefine(parsedBy((text) => hostOf(text, 'servers'))))
    .max(mostServers)
    .default([]),
});
type SiteSettings = z.infer<typeof siteSettingsSchema>;

/** Where the server listens, and others of the fleet with it. */
export type Listening = Pick<SiteSettings, 'listen' | 'port' | 'servers'>;

/** What the folder of a fleet stands on. */
export interface Surroundings {
  clock: Pick<Clock, 'wallMs'>;
  /** As it is at this moment. */
  machine(): Machine;
}

/** The files in the folder of a fleet. */
export function siteFiles(folder: string) {
  return {
    settings: join(folder, 'fleet.json'),
    /** Key and certificate of the authority that signs the server's. */
    authority: join(folder, 'authority.pem'),
    /** The console's join file. */
    console: join(folder, 'console.json'),
    /** A file for each agent. */
    agents: join(folder, 'agents'),
    /** These three are made of the others. */
    server: join(folder, 'server.pem'),
    configuration: join(folder, 'nats-server.conf'),
    processId: join(folder, 'nats-server.pid'),
  };
}

/** Where the server of this folder listened last; null: no fleet was set up there. @throws WhitelineError BAD_INPUT */
export function lastListening(folder: string): Listening | null {
  return settingsIn(folder);
}

/** A small fleet as its folder holds it: its authority, its server and who is invited. */
export class Site {
  readonly files: ReturnType<typeof siteFiles>;
  readonly agents: InvitedAgents;

  private constructor(
    folder: string,
    readonly settings: SiteSettings,
    readonly authority: Identity,
    private readonly around: Surroundings,
  ) {
    this.files = siteFiles(folder);
    makePrivateFolder(this.files.agents);
    this.agents = new InvitedAgents(this.files.agents);
  }

  /** @throws WhitelineError NOT_FOUND if no fleet was set up, BAD_INPUT for a damaged file */
  static open(folder: string, around: Surroundings): Site {
    const settings = settingsIn(folder);
    if (settings) return new Site(folder, settings, authorityIn(folder, around), around);
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `No fleet is set up in ${folder}`,
      ...{ field: 'folder', value: folder, remedy: 'Start one first: whiteline fleet start' },
    });
  }

  /**
   * Makes what is missing, and brings all to where the server is to listen.
   * @throws WhitelineError BAD_INPUT for a damaged file; OUTPUT_UNWRITABLE, DISK_FULL
   */
  static prepare(folder: string, listening: Listening, around: Surroundings): Site {
    const { agents, authority: file, settings: settingsFile } = siteFiles(folder);
    makePrivateFolder(agents);
    const before = settingsIn(folder);
    // Agents that are invited trust the authority of this fleet, and no other.
    const isNew = before === null && new InvitedAgents(agents).all().length === 0;
    if (isNew && readPrivateFile(file) === null)
      replacePrivateFile(file, makeAuthority(around.clock.wallMs()));
    const { consoleSecret = newSecret() } = before ?? {};
    const name = newServerName(listening.servers);
    const settings: SiteSettings = { version: 1, ...listening, consoleSecret, name };
    const site = new Site(folder, settings, authorityIn(folder, around), around);
    replaceWhereOther(settingsFile, `${JSON.stringify(settings, null, 2)}\n`);
    replaceWhereOther(site.files.console, joinFileText(site.consoleJoin()));
    site.write();
    return site;
  }

  /** Brings the server's certificate and configuration up to date; false: they were. */
  write(): boolean {
    // Once more after each change: another command may have invited an agent meanwhile, and have written before us.
    for (let hasChanged = false; ; hasChanged = true) if (!this.writeOnce()) return hasChanged;
  }

  joinOf({ id, name, secret, address }: InvitedAgent): JoinFile {
    const { servers } = this.settings;
    const hosts = address === null ? this.addresses : [...new Set([address, ...servers])];
    return this.join(hosts, id, secret, { id, name });
  }

  consoleJoin(): JoinFile {
    const { listen, consoleSecret, servers } = this.settings;
    const others = this.isCluster ? servers : [];
    return this.join([...new Set([ownAddress(listen), ...others])], consoleUser, consoleSecret, null);
  }

  /** By which a person tells this fleet from another: SHA-256 of the authority's certificate. */
  get fingerprint(): string {
    return this.authority.certificate.fingerprint256;
  }

  /** Other machines run its server too. */
  get isCluster(): boolean {
    return this.settings.servers.length > 1;
  }

  /** At which agents reach this fleet. */
  get addresses(): readonly string[] {
    const { listen, servers } = this.settings;
    return servers.length > 0 ? servers : reachedAt(listen, this.around.machine());
  }

  private join(hosts: readonly string[], user: string, secret: string, agent: JoinFile['agent']): JoinFile {
    const servers = hosts.map((host) => serverUrl(host, this.settings.port));
    return { version: 1, servers, certificateAuthority: this.authority.certificatePem, user, secret, agent };
  }

  private writeOnce(): boolean {
    const { listen, servers } = this.settings;
    const { server: identityFile, authority: authorityFile, configuration } = this.files;
    const agents = this.agents.all();
    const given = agents.flatMap(({ address }) => address ?? []);
    const hosts = certifiedHosts(listen, this.around.machine(), [...given, ...servers]);
    const isSigned = this.signServer(identityFile, hosts);
    const text = configurationText({ ...this.settings, identityFile, authorityFile }, agents);
    return replaceWhereOther(configuration, text) || isSigned;
  }

  /** False: the server has a certificate that is good. */
  private signServer(file: string, hosts: readonly string[]): boolean {
    const nowMs = this.around.clock.wallMs();
    const present = readIdentity(readPrivateFile(file) ?? '');
    if (present && isInForce(present, this.authority, hosts, nowMs)) return false;
    replacePrivateFile(file, makeServerIdentity(this.authority, hosts, nowMs));
    return true;
  }
}

function settingsIn(folder: string): SiteSettings | null {
  const { settings: file } = siteFiles(folder);
  const text = readPrivateFile(file);
  if (text === null) return null;
  const { data } = safeParse(siteSettingsSchema, jsonOf(text));
  if (data) return data;
  throw damaged(file, 'Delete this file, and start the fleet again: the invited agents stay');
}

const inviteAgain =
  'Put a copy of it back, or delete the whole folder, start the fleet and invite all agents again';

function authorityIn(folder: string, { clock }: Surroundings): Identity {
  const { authority: file } = siteFiles(folder);
  const authority = readIdentity(readPrivateFile(file) ?? '');
  if (!authority?.certificate.ca) throw damaged(file, inviteAgain);
  if (daysLeft(authority.certificate, clock.wallMs()) > 0) return authority;
  throw new WhitelineError({
    code: 'BAD_INPUT',
    message: `The certificate in ${file} was good until ${authority.certificate.validTo}`,
    ...{ field: 'folder', value: file },
    remedy:
      'Set the clock of this machine right, or delete the whole folder, start the fleet and invite all agents again',
  });
}

function replaceWhereOther(path: string, text: string): boolean {
  if (readPrivateFile(path) === text) return false;
  replacePrivateFile(path, text);
  return true;
}
