import './without-eval';
import { createRoot } from 'react-dom/client';
import { reloadedMark } from '../app/protocol/bridge';
import { DisplayFeed } from './display/display-feed';
import { DisplayScreen } from './display/display-screen';
import { connect, shell } from './engine/connection';
import { checkWhileTyping } from './engine/parameter-check';
import { followPreflight } from './preflight/preflight-store';
import { followSettings } from './settings/settings-store';
import { followWindowScale } from './settings/window-scale';
import { Console } from './shell/console';
import { takeDropped } from './shell/dropped';
import { sayReloaded } from './shell/reloaded';
import './style/window.css';
import { WhiteLineScreen } from './white-line/white-line-screen';

const root = createRoot(document.getElementById('root') as HTMLElement);
/** The display window, and the stream that it is to begin with. */
const displayed = /^#display(?:=(\d+))?$/.exec(location.hash);

if (location.hash === '#white-line') {
  root.render(<WhiteLineScreen />);
} else if (displayed) {
  const feed = new DisplayFeed();
  connect((port) => feed.takePort(port));
  root.render(<DisplayScreen feed={feed} streamId={displayed[1] ? Number(displayed[1]) : null} />);
} else {
  connect();
  checkWhileTyping();
  followWindowScale();
  followSettings();
  followPreflight();
  shell.onFileDropped((path, folder) => void takeDropped(path, folder));
  if (location.hash === `#${reloadedMark}`) sayReloaded();
  root.render(<Console />);
}
