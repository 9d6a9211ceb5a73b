import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { outputOf, succeeds } from '../setup/command.mjs';
import { isRoot, rootFolder } from '../setup/platform.mjs';

const userName = 'whiteline-test';
const sandboxOff = { WHITELINE_NO_SANDBOX: '1' };

/**
 * Whom the end-to-end tests run as: Electron refuses its sandbox to root, so root makes an ordinary user for them.
 * Where such a user cannot be had, reach the checkout, or open a sandbox, they run as root without one.
 * @returns {{sentence: string, spawnOptions: object, environment: object}}
 */
export function ordinaryUser(electronExecutable, writableFolder) {
  mkdirSync(writableFolder, { recursive: true });
  if (!isRoot) return { sentence: "Electron's sandbox is on", spawnOptions: {}, environment: {} };
  const identity = identityOfTestUser();
  const obstacle = obstacleFor(identity, electronExecutable);
  if (obstacle) {
    return {
      sentence: `running as root without Electron's sandbox: ${obstacle}`,
      spawnOptions: {},
      environment: sandboxOff,
    };
  }
  chownSync(writableFolder, identity.uid, identity.gid);
  return {
    sentence: `running as the user ${userName}, so that Electron's sandbox is on`,
    spawnOptions: { uid: identity.uid, gid: identity.gid },
    environment: { HOME: identity.home, USER: userName, LOGNAME: userName, XDG_RUNTIME_DIR: undefined },
  };
}

function identityOfTestUser() {
  if (!succeeds('id', [userName])) succeeds('useradd', ['--system', '--create-home', userName]);
  const [, , uid, gid, , home] = (outputOf('getent', ['passwd', userName]) ?? '').split(':');
  return home ? { uid: Number(uid), gid: Number(gid), home } : null;
}

function obstacleFor(identity, electronExecutable) {
  if (!identity) return `the user ${userName} could not be made`;
  const { uid, gid, home } = identity;
  const asUser = { uid, gid, cwd: '/', env: { PATH: process.env.PATH, HOME: home } };
  const checkout = JSON.stringify(path.join(rootFolder, 'package.json'));
  const readsCheckout = ['-e', `require('node:fs').readFileSync(${checkout})`];
  if (!succeeds(process.execPath, readsCheckout, asUser))
    return `${userName} cannot read this checkout or Node`;
  const asNode = { ...asUser, env: { ...asUser.env, ELECTRON_RUN_AS_NODE: '1' } };
  if (!succeeds(electronExecutable, readsCheckout, asNode)) return `${userName} cannot run Electron`;
  if (!succeeds('unshare', ['--user', 'true'], asUser))
    return 'user namespaces are switched off on this system';
  return null;
}
