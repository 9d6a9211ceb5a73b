import { createRoot } from 'react-dom/client';
import { connect, shell } from './engine/connection';
import { checkWhileTyping } from './engine/parameter-check';
import { playMovie } from './engine/source-settings';
import { Console } from './shell/console';
import './style/window.css';
import { WhiteLineScreen } from './white-line/white-line-screen';

const root = createRoot(document.getElementById('root') as HTMLElement);

if (location.hash === '#white-line') {
  root.render(<WhiteLineScreen />);
} else {
  connect();
  checkWhileTyping();
  shell.onFileDropped(playMovie);
  root.render(<Console />);
}
