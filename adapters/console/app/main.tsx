import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './mantine.css';
import './console.css';
import { Console } from './console';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
}
