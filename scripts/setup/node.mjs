import { SetupError } from './report.mjs';

const oldestNode = [20, 19];

/** Before anything else: an older Node stops at the syntax of a tool, and says nothing that helps. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!isNewEnough) {
    throw new SetupError(
      `Node ${oldestNode.join('.')} or newer is needed, this is ${version}.`,
      'install a current Node from https://nodejs.org',
    );
  }
}
