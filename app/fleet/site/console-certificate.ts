import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readSmallFile } from '../../engine/small-file';
import { badInput, WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import {
  daysLeft,
  type Identity,
  isInForce,
  makeAuthority,
  makeServerIdentity,
  readIdentity,
} from './identity';
import { damaged, makePrivateFolder, readPrivateFile, replacePrivateFile } from './private-files';

/** The certificate with which the console is served to other machines. */
export interface ConsoleCertificate {
  /** PEM. */
  key: string;
  /** PEM, of the server first. */
  certificate: string;
  server: X509Certificate;
  /** With the certificate alone of the authority that this user made, for browsers that shall trust it; null: the certificate was given. */
  authorityFile: string | null;
}

/**
 * A certificate for these hosts, by an authority of this user's own that is made at the first time and kept, so that what a browser was made to trust stays.
 * @param nowMs wall time
 * @throws WhitelineError BAD_INPUT for a damaged authority; OUTPUT_UNWRITABLE, DISK_FULL
 */
export function ownCertificate(folder: string, hosts: readonly string[], nowMs: number): ConsoleCertificate {
  makePrivateFolder(folder);
  const authorityKeyFile = join(folder, 'authority.pem');
  const authorityFile = join(folder, 'authority.crt');
  const serverFile = join(folder, 'server.pem');
  if (readPrivateFile(authorityKeyFile) === null)
    replacePrivateFile(authorityKeyFile, makeAuthority(nowMs, 'console'));
  const authority = readIdentity(readPrivateFile(authorityKeyFile) ?? '');
  if (!authority?.certificate.ca || daysLeft(authority.certificate, nowMs) <= 0)
    throw damaged(
      authorityKeyFile,
      'Delete this file: the next start makes another one, which browsers do not know yet',
    );
  replacePrivateFile(authorityFile, authority.certificatePem);
  const present = readIdentity(readPrivateFile(serverFile) ?? '');
  if (!present || !isInForce(present, authority, hosts, nowMs))
    replacePrivateFile(serverFile, makeServerIdentity(authority, hosts, nowMs, 'console'));
  const { keyPem: key, certificatePem, certificate: server } = identityIn(serverFile);
  return { key, certificate: `${certificatePem}${authority.certificatePem}`, server, authorityFile };
}

function identityIn(file: string): Identity {
  const identity = readIdentity(readPrivateFile(file) ?? '');
  if (identity) return identity;
  throw damaged(file, 'Delete this file, and start again');
}

/**
 * A certificate of the operator's own, with its key.
 * @param nowMs wall time
 * @throws WhitelineError BAD_INPUT naming the file, and what is wrong with it
 */
export function givenCertificate(
  certificateFile: string,
  keyFile: string,
  nowMs: number,
): ConsoleCertificate {
  const certificate = textOf(certificateFile, 'certificate');
  const key = textOf(keyFile, 'key');
  const server = certificateIn(certificate, certificateFile);
  const privateKey = keyIn(key, keyFile);
  if (!server.checkPrivateKey(privateKey))
    throw badInput('key', `the key of ${certificateFile}`, `${keyFile}, which is of another certificate`);
  const { validFrom, validTo } = server;
  if (daysLeft(server, nowMs) <= 0)
    throw badInput(
      'certificate',
      'one that is good now',
      `${certificateFile}, which was good until ${validTo}`,
      'Renew it',
    );
  if (Date.parse(validFrom) > nowMs)
    throw badInput(
      'certificate',
      'one that is good now',
      `${certificateFile}, which is good from ${validFrom} on`,
      'Check the clock of this machine',
    );
  return { key, certificate, server, authorityFile: null };
}

/** Whether the certificate stands for this name or address. */
export function isNamedIn({ server }: Pick<ConsoleCertificate, 'server'>, host: string): boolean {
  if (host === '') return false;
  return (isIP(host) === 0 ? server.checkHost(host) : server.checkIP(host)) !== undefined;
}

/** Names and addresses in it, of which none stands for many. */
export function namesIn({ server }: Pick<ConsoleCertificate, 'server'>): string[] {
  return alternativeNames(server).filter((name) => isNamedIn({ server }, name) && !name.includes('*'));
}

/** Names in it that stand for many each, with a * for what differs. */
export function wildcardsIn({ server }: Pick<ConsoleCertificate, 'server'>): string[] {
  const names = alternativeNames(server).filter((name) => name.includes('*'));
  return names.filter((name) => isNamedIn({ server }, name.replace('*', 'any')));
}

function alternativeNames({ subjectAltName }: X509Certificate): string[] {
  const names = subjectAltName?.split(', ') ?? [];
  return names.map((name) => name.replace(/^(DNS|IP Address):/, ''));
}

function textOf(file: string, field: 'certificate' | 'key'): string {
  try {
    return readSmallFile(file, field);
  } catch (error) {
    if (error instanceof WhitelineError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const found = code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? message})`;
    throw badInput(field, 'a file in PEM', `${file}, which ${found}`);
  }
}

function certificateIn(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw badInput('certificate', 'a certificate in PEM', `${file}, which holds none`);
  }
}

function keyIn(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch (error) {
    const isLocked =
      /passphrase|password|interrupted|bad decrypt/i.test(`${(error as Error).message}`) ||
      /ENCRYPTED/.test(text);
    const found = isLocked ? 'which has a passphrase' : 'which holds none';
    throw badInput('key', 'a private key in PEM without a passphrase', `${plainLine(file)}, ${found}`);
  }
}
