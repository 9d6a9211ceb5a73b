import { beforeEach, expect, test } from 'vitest';
import { stubWindow } from '../../app/testing/window';

beforeEach(() => stubWindow({}));

test('one machine sends, several receive in the order of their choice; without one, this machine does', async () => {
  const { giveRole, takeRole } = await import('./fleet-actions');
  const { useSettings } = await import('../engine/source-settings');
  const places = () => {
    const { sendOn, receiveOn } = useSettings.getState();
    return [sendOn, receiveOn];
  };
  giveRole('sendOn', 'render-1');
  giveRole('sendOn', 'render-2');
  expect(places()).toEqual(['render-2', null]);
  for (const name of ['display-2', 'display-1', 'display-2']) giveRole('receiveOn', name);
  expect(places()).toEqual(['render-2', 'display-2,display-1']);
  takeRole('receiveOn', 'display-2');
  expect(places()).toEqual(['render-2', 'display-1']);
  takeRole('receiveOn', 'display-1');
  takeRole('sendOn', 'render-2');
  expect(places()).toEqual([null, null]);
  useSettings.setState({ receiveOn: 'display-1,this machine' });
  takeRole('receiveOn', 'display-1');
  expect(places()).toEqual([null, null]);
});
