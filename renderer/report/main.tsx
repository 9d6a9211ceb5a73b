import { createRoot } from 'react-dom/client';
import '../style/light.css';
import '../style/base.css';
import './page.css';
import { texts } from '../texts';
import { Report } from './report';
import { parseReport } from './report-data';

const data = parseReport(document.getElementById('whiteline-run')?.textContent ?? '{}');
if (data) document.title = `${data.run.title}, ${texts.report.title}`;

createRoot(document.getElementById('root') as HTMLElement).render(
  data ? <Report data={data} /> : <p>{texts.report.empty}</p>,
);
