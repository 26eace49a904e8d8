/** Where the page begins: makes its parts, connects them, draws. */

import { render } from "preact";
import { Announcer } from "./attention/announcer";
import { Attention } from "./attention/attention";
import { watchAttachments } from "./connection/attachments";
import { createPage, PageProvider } from "./layout/context";
import { keptStorage } from "./layout/kept";
import { PageView } from "./layout/page-view";
import "./look/tokens.css";
import "./look/base.css";

const page = createPage();
const announcer = new Announcer();
const attention = new Attention(page.room, page.language, announcer, keptStorage());
attention.start();
page.link.start();
watchAttachments(page.room);

const root = document.getElementById("page");
if (root !== null) {
  render(
    <PageProvider value={page}>
      <PageView announcer={announcer} attention={attention} />
    </PageProvider>,
    root,
  );
}
