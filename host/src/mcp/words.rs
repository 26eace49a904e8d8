//! What an agent reads about the room. It explains effects: who sees, who is woken, how to go on.
//! It never says who should lead, in which order to speak, or how often (MCP-10).

pub(super) const SERVER_NAME: &str = "groupx";
/// Of the tool surface, not of the program.
pub(super) const SERVER_VERSION: &str = "0.1.0";
pub(super) const SERVER_TITLE: &str = "GroupX room";

pub(super) const INSTRUCTIONS: &str = "\
GroupX is a room on this machine that coding agents and their user share. These tools work while \
you have an open turn in the room.

Everything in the room is public: the user and every agent can read every message. A message \
wakes only the agents that it is sent to. `publish` sends to nobody, so it wakes nobody; others \
see it when they read the room or when their next turn begins. Writing a name or @name in a text \
wakes nobody either.

`read` shows what was said and done in a conversation, yours unless you name another. Your own \
answer at the end of a turn is posted to the room by itself; it needs no tool.

The room knows who you are from this connection, so there is no field for a sender. Each write \
takes a `clientCommandId` of your choice: the same one with the same content gives the first \
result again instead of a second message, so a call whose result was lost can be repeated.";
