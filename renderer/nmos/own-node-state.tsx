import { problemText, renameFields } from '../../app/protocol/errors';
import type { NmosNodeView } from '../../app/protocol/nmos-node';
import { settingLabel } from '../settings/setting-label';
import { texts } from '../texts';

const { nmos } = texts;

/** The node's own names of what is set. */
const settingOf = new Map([
  ['host', 'nmosHost'],
  ['port', 'nmosPort'],
]);

function labelOf(field: string): string | undefined {
  return settingLabel(settingOf.get(field) ?? field);
}

/** What became of this console as a node, as part of a sentence. */
export function OwnNodeState({ node }: { node: NmosNodeView }) {
  const { is } = node;
  return (
    <>
      <b>{nmos.ownStates[is]}</b>
      {'address' in node && node.address !== null && `, ${node.address}`}
      {is === 'registered' && `, ${nmos.registeredAt(node.registry, node.version)}`}
      {is === 'registered' && node.warning && `. ${node.warning}`}
      {is === 'problem' && `: ${problemText(renameFields(node.problem, labelOf))}`}
    </>
  );
}
