import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** A key with its certificate, in one text of PEM: one file holds both, so that they are replaced together or not at all. */
export interface Identity {
  keyPem: string;
  certificatePem: string;
  certificate: X509Certificate;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
const serverDays = 365;
/** A certificate of the server is made again when it has less left. */
const leastDaysLeft = 30;
/** Clocks of other machines may be behind by so much. */
const earlierDays = 1;
const authorityKeyBits = 3072;
const serverKeyBits = 2048;

/** An authority of this user's own, as PEM; @param nowMs wall time; @param of what it signs servers of */
export function makeAuthority(nowMs: number, of = 'fleet'): string {
  const keys = forge.pki.rsa.generateKeyPair({ bits: authorityKeyBits });
  const name = [{ name: 'commonName', value: `Whiteline ${of} authority` }];
  const certificate = unsigned(keys.publicKey, name, name, nowMs, authorityDays);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return pemOf(keys.privateKey, certificate);
}

/**
 * The identity of a fleet's server, as PEM.
 * @param hosts names and addresses by which it is reached
 * @param nowMs wall time
 * @param of what it is the server of
 */
export function makeServerIdentity(
  authority: Identity,
  hosts: readonly string[],
  nowMs: number,
  of = 'fleet',
): string {
  const keys = forge.pki.rsa.generateKeyPair({ bits: serverKeyBits });
  const issuer = forge.pki.certificateFromPem(authority.certificatePem);
  const name = [{ name: 'commonName', value: `Whiteline ${of} server` }];
  const certificate = unsigned(keys.publicKey, name, issuer.subject.attributes, nowMs, serverDays);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    // The servers of one fleet are each other's clients.
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    { name: 'subjectAltName', altNames: hosts.map(alternativeName) },
    { name: 'authorityKeyIdentifier', keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes() },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(authority.keyPem), forge.md.sha256.create());
  return pemOf(keys.privateKey, certificate);
}

/** Null for a text that holds no key with its certificate. */
export function readIdentity(text: string): Identity | null {
  const [keyPem] = /-----BEGIN RSA PRIVATE KEY-----[^-]+-----END RSA PRIVATE KEY-----/.exec(text) ?? [];
  const [certificatePem] = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(text) ?? [];
  if (keyPem === undefined || certificatePem === undefined) return null;
  try {
    const certificate = new X509Certificate(certificatePem);
    const isOwn = certificate.checkPrivateKey(createPrivateKey(keyPem));
    return isOwn ? { keyPem, certificatePem: `${certificatePem}\n`, certificate } : null;
  } catch {
    return null;
  }
}

/**
 * Whether the server can go on with it: signed by this authority, for exactly these hosts, and good for 30 days more.
 * @param nowMs wall time
 */
export function isInForce(
  { certificate }: Identity,
  authority: Identity,
  hosts: readonly string[],
  nowMs: number,
): boolean {
  const named = certificate.subjectAltName?.split(', ') ?? [];
  const isNamed = (host: string): boolean =>
    isIP(host) === 0 ? named.includes(`DNS:${host}`) : certificate.checkIP(host) !== undefined;
  return (
    daysLeft(certificate, nowMs) >= leastDaysLeft &&
    certificate.verify(authority.certificate.publicKey) &&
    named.length === hosts.length &&
    hosts.every(isNamed)
  );
}

/** Days for which a certificate is still good; negative: it is not any more. */
export function daysLeft(certificate: X509Certificate, nowMs: number): number {
  return (Date.parse(certificate.validTo) - nowMs) / dayMs;
}

function unsigned(
  publicKey: forge.pki.PublicKey,
  subject: forge.pki.CertificateField[],
  issuer: forge.pki.CertificateField[],
  nowMs: number,
  days: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  // Positive, as X.509 wants it.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(nowMs - earlierDays * dayMs);
  certificate.validity.notAfter = new Date(nowMs + days * dayMs);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  return certificate;
}

/** Types of GeneralName in RFC 5280. */
function alternativeName(host: string): object {
  return isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host };
}

function pemOf(key: forge.pki.rsa.PrivateKey, certificate: forge.pki.Certificate): string {
  const texts = [forge.pki.privateKeyToPem(key), forge.pki.certificateToPem(certificate)];
  return texts.join('').replaceAll('\r\n', '\n');
}
