import type { ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

export const crosspointReasons = {
  'matrix-filled': (of) =>
    `${of.number('senders')} × ${of.number('receivers')} filled in ${of.number('seconds', secondsText)}`,
  'crosspoints-changed': (of) =>
    `${countText(of.numbers('crosspoints'), 'crosspoint')} changed in ${of.number('seconds', secondsText)}; ` +
    `the Query API showed all of them after ${of.number('shownSeconds', secondsText)}`,

  'subscriptions-lost': (of) =>
    `the registry ended ${countText(of.numbers('losses'), 'subscription')} while the matrix was filled`,
  'resources-unusable': (of) =>
    `${countText(of.numbers('leftOut'), 'resource')} of the registry cannot be used; the first: ${of.word('first')}`,
  'matrix-short': (of) =>
    `the controller found ${of.number('ownSenders')} senders and ${of.number('ownReceivers')} receivers of this run; ` +
    `the run registered ${of.number('expected')} of each`,
  'crosspoints-failed': (of) =>
    `${of.number('failed')} of ${countText(of.numbers('crosspoints'), 'crosspoint')} failed; the first: ${of.word('first')}`,
  'crosspoints-absent': (of) =>
    `the registry holds the resources for only ${of.number('crosspoints')} of ${countText(of.numbers('wanted'), 'crosspoint')}`,
  'crosspoints-not-shown': (of) =>
    `the Query API did not show all ${countText(of.numbers('crosspoints'), 'crosspoint')} within ${of.number('limitSeconds', String)} s`,
  'controller-failed': (of) => `the controller could not read the registry: ${of.word('why')}`,
} satisfies ReasonWords;

function secondsText(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}
