// flags: -P
%:define X(a, b) %:a a%:%:b
X(<:, :>) <% %>
